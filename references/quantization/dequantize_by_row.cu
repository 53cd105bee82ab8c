// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel dequantize grid [N, div_up(C, 4096)] block [256] (q, largest, y, C)
*/
// A thread has sixteen neighbouring numbers of a row: one load and two stores where rows are a multiple of sixteen.
#include "kernel.h"

// Of the i-th of four bytes, with its sign.
__device__ float number(unsigned word, int i) { return (float)(int8_t)(word >> 8 * i); }

extern "C" __global__ void dequantize(const int8_t* __restrict__ q, const float* __restrict__ largest, float16* __restrict__ y, int64_t C) {
  const int64_t c = (blockIdx.y * 256ll + threadIdx.x) * 16;
  if (c >= C) return;
  const float top = largest[blockIdx.x];
  q += blockIdx.x * C + c;
  y += blockIdx.x * C + c;
  if (C % 16 == 0) {
    const auto both = [&](unsigned word, int i) {
      const __half2 y = __floats2half2_rn(number(word, i) * top / 127, number(word, i + 1) * top / 127);
      return *reinterpret_cast<const unsigned*>(&y);
    };
    const uint4 v = *reinterpret_cast<const uint4*>(q);
    reinterpret_cast<uint4*>(y)[0] = make_uint4(both(v.x, 0), both(v.x, 2), both(v.y, 0), both(v.y, 2));
    reinterpret_cast<uint4*>(y)[1] = make_uint4(both(v.z, 0), both(v.z, 2), both(v.w, 0), both(v.w, 2));
    return;
  }
  for (int i = 0; i < 16 && c + i < C; ++i) y[i] = __float2half_rn((float)q[i] * top / 127);
}
