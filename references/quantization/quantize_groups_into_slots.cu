// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel quantize grid [div_up(T * H * G, 256)] block [256] (x, places, cache, scales, long(T * H * G), long(H * G))
*/
// A thread has a group: its eight numbers are one load, their codes one store.
#include "kernel.h"

extern "C" __global__ void quantize(const float16* __restrict__ x, const int64_t* __restrict__ places, int8_t* __restrict__ cache,
                                    float16* __restrict__ scales, int64_t groups, int64_t of_token) {
  const int64_t group = blockIdx.x * 256ll + threadIdx.x;
  if (group >= groups) return;
  const int64_t slot = places[group / of_token] * of_token + group % of_token;
  alignas(16) __half v[8];
  alignas(8) int8_t codes[8];
  *reinterpret_cast<uint4*>(v) = reinterpret_cast<const uint4*>(x)[group];
  float top = 0;
  for (int i = 0; i < 8; ++i) top = fmaxf(fabsf(__half2float(v[i])), top);
  const float scale = fmaxf(top / 127, 9.5367431640625e-07f);
  for (int i = 0; i < 8; ++i) codes[i] = (int8_t)(int)(__half2float(v[i]) / scale);
  reinterpret_cast<uint2*>(cache)[slot] = *reinterpret_cast<const uint2*>(codes);
  scales[slot] = __float2half_rn(scale);
}
