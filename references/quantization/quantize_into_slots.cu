// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel quantize grid [div_up(T * H, 8)] block [256] (x, places, cache, scales, long(T * H), H, D)
*/
// A warp has a vector, two numbers at a time where vectors are a multiple of that; the second time it is in the cache of the device.
#include "kernel.h"

__device__ float magnitude(float2 v) { return fmaxf(fabsf(v.x), fabsf(v.y)); }

extern "C" __global__ void quantize(const float16* __restrict__ x, const int64_t* __restrict__ places, int8_t* __restrict__ cache,
                                    float16* __restrict__ scales, int64_t rows, int64_t H, int64_t D) {
  const int64_t row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= rows) return;
  const int lane = threadIdx.x % 32;
  const int64_t slot = places[row / H] * H + row % H;
  x += row * D;
  cache += slot * D;
  const __half2* pairs = reinterpret_cast<const __half2*>(x);
  const bool paired = D % 2 == 0;
  float top = 0;
  if (paired) {
#pragma unroll 2
    for (int64_t u = lane; u < D / 2; u += 32) top = fmaxf(magnitude(__half22float2(pairs[u])), top);
  } else {
    for (int64_t d = lane; d < D; d += 32) top = fmaxf(fabsf(__half2float(x[d])), top);
  }
  for (int width = 16; width > 0; width /= 2) top = fmaxf(__shfl_xor_sync(0xffffffff, top, width), top);
  const float scale = fmaxf(top / 127, 9.5367431640625e-07f);
  if (lane == 0) scales[slot] = __float2half_rn(scale);
  if (paired) {
#pragma unroll 2
    for (int64_t u = lane; u < D / 2; u += 32) {
      const float2 v = __half22float2(pairs[u]);
      reinterpret_cast<char2*>(cache)[u] = make_char2((int8_t)(int)(v.x / scale), (int8_t)(int)(v.y / scale));
    }
  } else {
    for (int64_t d = lane; d < D; d += 32) cache[d] = (int8_t)(int)(__half2float(x[d]) / scale);
  }
}
