// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(div_up(N * C, 8), 256)] block [256] (a, b, y, long(N * C))
*/
// A thread has eight neighbouring products, two in each word; those of the last one may be fewer. A product of two bfloat16 is exact in
// float, so that it is rounded once.
#include "kernel.h"

// A bfloat16 is the upper half of a float.
__device__ float low(unsigned word) { return __uint_as_float(word << 16); }
__device__ float high(unsigned word) { return __uint_as_float(word & 0xffff0000); }

__device__ unsigned both(unsigned a, unsigned b) {
  const __nv_bfloat162 y = __floats2bfloat162_rn(low(a) * low(b), high(a) * high(b));
  return *reinterpret_cast<const unsigned*>(&y);
}

extern "C" __global__ void multiply(const bfloat16* __restrict__ a, const bfloat16* __restrict__ b, bfloat16* __restrict__ y,
                                    int64_t count) {
  const int64_t i = (blockIdx.x * 256ll + threadIdx.x) * 8;
  if (i + 8 <= count) {
    const uint4 v = *reinterpret_cast<const uint4*>(a + i), w = *reinterpret_cast<const uint4*>(b + i);
    *reinterpret_cast<uint4*>(y + i) = make_uint4(both(v.x, w.x), both(v.y, w.y), both(v.z, w.z), both(v.w, w.w));
    return;
  }
  for (int64_t k = i; k < count; ++k) y[k] = __float2bfloat16_rn(__bfloat162float(a[k]) * __bfloat162float(b[k]));
}
