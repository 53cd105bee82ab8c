// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel silu grid [div_up(div_up(N * C, 8), 256)] block [256] (x, y, long(N * C))
*/
// A thread has eight neighbouring numbers, two in each word; those of the last one may be fewer.
#include "kernel.h"

__device__ float silu_of(float x) { return x / (1 + expf(-x)); }

// A bfloat16 is the upper half of a float.
__device__ unsigned both(unsigned word) {
  const __nv_bfloat162 y = __floats2bfloat162_rn(silu_of(__uint_as_float(word << 16)), silu_of(__uint_as_float(word & 0xffff0000)));
  return *reinterpret_cast<const unsigned*>(&y);
}

extern "C" __global__ void silu(const bfloat16* __restrict__ x, bfloat16* __restrict__ y, int64_t count) {
  const int64_t i = (blockIdx.x * 256ll + threadIdx.x) * 8;
  if (i + 8 <= count) {
    const uint4 v = *reinterpret_cast<const uint4*>(x + i);
    *reinterpret_cast<uint4*>(y + i) = make_uint4(both(v.x), both(v.y), both(v.z), both(v.w));
    return;
  }
  for (int64_t k = i; k < count; ++k) y[k] = __float2bfloat16_rn(silu_of(__bfloat162float(x[k])));
}
