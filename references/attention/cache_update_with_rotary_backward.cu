// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel turn_back grid [div_up(B * T * div_up(E, 4), 128), 1 + G] block [128]
                    (key_cache_gradient, value_cache_gradient, keys, cosines, sines, places, key_gradient, value_gradient, cosine_gradient,
                     sine_gradient, long(B * T * div_up(E, 4)), G, T, P, int(E))
*/
// A thread has four neighbouring numbers of the first half of a token's heads and their partners in the second. Those of keys come first,
// and go through all heads, whose products they sum; those of values have one head.
#include <stdint.h>

#include "blocks/fours.cuh"
#include "blocks/quotient.cuh"

// Four numbers of each half.
struct Halves {
  float4 first, second;
};

__device__ Halves load(const float* from, int E, int count, bool aligned) {
  return {load_four(from, count, aligned), load_four(from + E, count, aligned)};
}
__device__ void store(float* to, const Halves& v, int E, int count, bool aligned) {
  store_four(to, v.first, count, aligned);
  store_four(to + E, v.second, count, aligned);
}

extern "C" __global__ void __launch_bounds__(128)
    turn_back(float* __restrict__ key_cache_gradient, float* __restrict__ value_cache_gradient, const float* __restrict__ keys,
              const float* __restrict__ cosines, const float* __restrict__ sines, const int64_t* __restrict__ places,
              float* __restrict__ key_gradient, float* __restrict__ value_gradient, float* __restrict__ cosine_gradient,
              float* __restrict__ sine_gradient, int64_t threads, int64_t G, int64_t T, int64_t P, int E) {
  const int64_t thread = blockIdx.x * 128ll + threadIdx.x;
  if (thread >= threads) return;
  const int units = (E + 3) / 4;
  const int64_t token = quotient(thread, units), b = quotient(token, T), t = token - b * T;
  const int e = (int)(thread - token * units) * 4, count = E - e;
  const bool aligned = E % 4 == 0;
  const int64_t at = (b * G * T + t) * 2 * E + e, slot = (b * G * P + places[t]) * 2 * E + e;
  const int64_t to_next = T * 2 * E, to_next_slot = P * 2 * E;
  const Halves none = {};
  if (blockIdx.y > 0) {
    const int64_t g = blockIdx.y - 1;
    float* from = value_cache_gradient + slot + g * to_next_slot;
    store(value_gradient + at + g * to_next, load(from, E, count, aligned), E, count, aligned);
    store(from, none, E, count, aligned);
    return;
  }
  const int64_t angle = token * 2 * E + e;
  const Halves cosine = load(cosines + angle, E, count, aligned), sine = load(sines + angle, E, count, aligned);
  Halves of_cosine = {}, of_sine = {};
#pragma unroll 2
  for (int64_t g = 0; g < G; ++g) {
    float* from = key_cache_gradient + slot + g * to_next_slot;
    const Halves dy = load(from, E, count, aligned), k = load(keys + at + g * to_next, E, count, aligned);
    const Halves dk = {dy.first * cosine.first + dy.second * sine.second, dy.second * cosine.second - dy.first * sine.first};
    store(key_gradient + at + g * to_next, dk, E, count, aligned);
    store(from, none, E, count, aligned);
    of_cosine = {of_cosine.first + dy.first * k.first, of_cosine.second + dy.second * k.second};
    of_sine = {of_sine.first - dy.first * k.second, of_sine.second + dy.second * k.first};
  }
  store(cosine_gradient + angle, of_cosine, E, count, aligned);
  store(sine_gradient + angle, of_sine, E, count, aligned);
}
