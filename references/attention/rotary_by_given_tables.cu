// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel rotate grid [div_up(B * H * T * div_up(E, 4), 256)] block [256] (x, cosines, sines, y, long(B * H * T * div_up(E, 4)), T, int(E))
*/
// A thread has four neighbouring numbers of a head's first half and their partners in the second.
#include <stdint.h>

#include "blocks/fours.cuh"
#include "blocks/quotient.cuh"

extern "C" __global__ void __launch_bounds__(256)
    rotate(const float* __restrict__ x, const float* __restrict__ cosines, const float* __restrict__ sines, float* __restrict__ y,
           int64_t threads, int64_t T, int E) {
  const int64_t thread = blockIdx.x * 256ll + threadIdx.x;
  if (thread >= threads) return;
  const int units = (E + 3) / 4;
  const int64_t row = quotient(thread, units), token = row - quotient(row, T) * T;
  const int e = (int)(thread - row * units) * 4, count = E - e;
  const bool aligned = E % 4 == 0;
  const int64_t at = row * 2 * E + e, angle = token * 2 * E + e;
  const float4 first = load_four(x + at, count, aligned), second = load_four(x + at + E, count, aligned);
  const float4 first_cosine = load_four(cosines + angle, count, aligned), second_cosine = load_four(cosines + angle + E, count, aligned);
  const float4 first_sine = load_four(sines + angle, count, aligned), second_sine = load_four(sines + angle + E, count, aligned);
  store_four(y + at, first * first_cosine - second * first_sine, count, aligned);
  store_four(y + at + E, second * second_cosine + first * second_sine, count, aligned);
}
