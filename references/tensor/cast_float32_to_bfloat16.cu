// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel cast grid [div_up(div_up(N * C, 8), 256)] block [256] (x, y, long(N * C))
*/
// A thread has eight neighbouring numbers, which become one store; those of the last one may be fewer.
#include "kernel.h"

__device__ unsigned both(float low, float high) {
  const __nv_bfloat162 y = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&y);
}

extern "C" __global__ void cast(const float* __restrict__ x, bfloat16* __restrict__ y, int64_t count) {
  const int64_t i = (blockIdx.x * 256ll + threadIdx.x) * 8;
  if (i + 8 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i), w = *reinterpret_cast<const float4*>(x + i + 4);
    *reinterpret_cast<uint4*>(y + i) = make_uint4(both(v.x, v.y), both(v.z, v.w), both(w.x, w.y), both(w.z, w.w));
    return;
  }
  for (int64_t k = i; k < count; ++k) y[k] = __float2bfloat16_rn(x[k]);
}
