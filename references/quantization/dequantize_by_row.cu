// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel dequantize grid [div_up(N * C, 2048)] block [256] (q, largest, y, long(N * C), C)
*/
// A thread has eight neighbouring numbers, rows one after the other: one load and one store where they are of one row.
#include "blocks/quotient.cuh"
#include "kernel.h"

// Of the i-th of four bytes, with its sign.
__device__ float number(unsigned word, int i) { return (float)(int8_t)(word >> 8 * i); }

extern "C" __global__ void dequantize(const int8_t* __restrict__ q, const float* __restrict__ largest, float16* __restrict__ y,
                                      int64_t count, int64_t C) {
  const int64_t first = (blockIdx.x * 256ll + threadIdx.x) * 8;
  if (first >= count) return;
  if (C % 8 == 0) {
    const float step = largest[quotient(first, C)] / 127;
    const auto both = [&](unsigned word, int i) {
      const __half2 y = __floats2half2_rn(number(word, i) * step, number(word, i + 1) * step);
      return *reinterpret_cast<const unsigned*>(&y);
    };
    const uint2 v = *reinterpret_cast<const uint2*>(q + first);
    *reinterpret_cast<uint4*>(y + first) = make_uint4(both(v.x, 0), both(v.x, 2), both(v.y, 0), both(v.y, 2));
    return;
  }
  for (int64_t i = first; i < min(first + 8, count); ++i) y[i] = __float2half_rn((float)q[i] * (largest[quotient(i, C)] / 127));
}
