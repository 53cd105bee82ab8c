// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel raise grid [div_up(div_up(N * C, 4), 256)] block [256] (x, exponent, y, long(N * C), C)
*/
// A thread has four neighbouring powers. They lie in one row, and so do their columns' numbers, where C is a multiple of four.
#include "blocks/quotient.cuh"

extern "C" __global__ void raise(const float* __restrict__ x, const float* __restrict__ exponent, float* __restrict__ y, long long count,
                                 long long C) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i >= count) return;
  long long c = i - quotient(i, C) * C;
  if (C % 4 == 0) {
    const float4 v = *reinterpret_cast<const float4*>(x + i), w = *reinterpret_cast<const float4*>(exponent + c);
    *reinterpret_cast<float4*>(y + i) = make_float4(powf(v.x, w.x), powf(v.y, w.y), powf(v.z, w.z), powf(v.w, w.w));
    return;
  }
  for (long long k = i; k < min(i + 4, count); ++k) {
    y[k] = powf(x[k], exponent[c]);
    if (++c == C) c = 0;
  }
}
