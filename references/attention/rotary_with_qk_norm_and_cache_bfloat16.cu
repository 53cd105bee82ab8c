// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [B * div_up(T, 4)] block [256] shared [4 * E * 8]
               (query, key, value, positions, key_cache, value_cache, places, query_weight, key_weight, frequencies, turned, H, G, T, P, int(E))
*/
// A block has all heads of four tokens, which share the angles: they are worked out once. Eight threads have a head, four neighbouring
// numbers of its first half at a time and their partners in the second; the second time they are in the multiprocessor's cache. Heads of
// queries come first, then those of keys, then those of values.
#include "blocks/fours.cuh"
#include "blocks/short_fours.cuh"

constexpr int kThreads = 256, kTokens = 4, kLanes = 8;

__device__ float sum_of_squares(float4 v) { return v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w; }
__device__ float4 times(float4 v, float factor) { return make_float4(v.x * factor, v.y * factor, v.z * factor, v.w * factor); }

__device__ void copy_head(const bfloat16* __restrict__ from, bfloat16* __restrict__ to, int E) {
  const int lane = threadIdx.x % kLanes;
  if (E % 4 == 0) {
    for (int u = lane; u < E / 4; u += kLanes) reinterpret_cast<uint4*>(to)[u] = reinterpret_cast<const uint4*>(from)[u];
  } else {
    for (int i = lane; i < 2 * E; i += kLanes) to[i] = from[i];
  }
}

__device__ void turn_head(const bfloat16* __restrict__ x, const bfloat16* __restrict__ weight, const float* cosines, const float* sines,
                          bfloat16* __restrict__ y, int E) {
  const int lane = threadIdx.x % kLanes;
  const unsigned lanes = (1u << kLanes) - 1 << threadIdx.x % 32 / kLanes * kLanes;
  const bool aligned = E % 4 == 0;
  float squares = 0;
  for (int e = lane * 4; e < E; e += kLanes * 4)
    squares += sum_of_squares(load_four(x + e, E - e, aligned)) + sum_of_squares(load_four(x + E + e, E - e, aligned));
  for (int width = kLanes / 2; width > 0; width /= 2) squares += __shfl_xor_sync(lanes, squares, width);
  const float factor = 1 / sqrtf(squares / (2 * E) + 1e-6f);
  for (int e = lane * 4; e < E; e += kLanes * 4) {
    const int count = E - e;
    const float4 first = times(load_four(x + e, count, aligned), factor) * load_four(weight + e, count, aligned);
    const float4 second = times(load_four(x + E + e, count, aligned), factor) * load_four(weight + E + e, count, aligned);
    const float4 cosine = load_four(cosines + e, count, aligned), sine = load_four(sines + e, count, aligned);
    store_four(y + e, first * cosine - second * sine, count, aligned);
    store_four(y + E + e, second * cosine + first * sine, count, aligned);
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    step(const bfloat16* __restrict__ query, const bfloat16* __restrict__ key, const bfloat16* __restrict__ value,
         const int64_t* __restrict__ positions, bfloat16* __restrict__ key_cache, bfloat16* __restrict__ value_cache,
         const int64_t* __restrict__ places, const bfloat16* __restrict__ query_weight, const bfloat16* __restrict__ key_weight,
         const float* __restrict__ frequencies, bfloat16* __restrict__ turned, int64_t H, int64_t G, int64_t T, int64_t P, int E) {
  extern __shared__ __align__(16) float angles[];
  float *cosines = angles, *sines = angles + kTokens * E;
  const int64_t blocks = (T + kTokens - 1) / kTokens, b = blockIdx.x / blocks, first_token = blockIdx.x % blocks * kTokens;
  const int tokens = (int)min(T - first_token, (int64_t)kTokens);
  for (int i = threadIdx.x; i < tokens * E; i += kThreads)
    sincosf((float)positions[b * T + first_token + i / E] * frequencies[i % E], sines + i, cosines + i);
  __syncthreads();
  const int64_t rows = (H + 2 * G) * kTokens;
  for (int64_t row = threadIdx.x / kLanes; row < rows; row += kThreads / kLanes) {
    const int64_t head = row / kTokens;
    const int token = (int)(row % kTokens);
    if (token >= tokens) continue;
    const int64_t t = first_token + token;
    const float *cosine = cosines + token * E, *sine = sines + token * E;
    if (head < H) {
      const int64_t at = ((b * H + head) * T + t) * 2 * E;
      turn_head(query + at, query_weight, cosine, sine, turned + at, E);
      continue;
    }
    const bool is_key = head < H + G;
    const int64_t of_cache = b * G + head - (is_key ? H : H + G), at = (of_cache * T + t) * 2 * E, slot = (of_cache * P + places[t]) * 2 * E;
    if (is_key) turn_head(key + at, key_weight, cosine, sine, key_cache + slot, E);
    else copy_head(value + at, value_cache + slot, E);
  }
}
