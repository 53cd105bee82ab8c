// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel clamp grid [div_up(div_up(N * C, 4), 256)] block [256] (x, low, high, y, long(N * C), C)
*/
// A thread has four neighbouring numbers. They lie in one row, and so do their columns' bounds, where C is a multiple of four. NaN passes,
// wherever it comes from.
#include "blocks/quotient.cuh"

__device__ float bounded(float x, float low, float high) {
  const float raised = x > low || x != x ? x : low;
  return raised < high || raised != raised ? raised : high;
}

extern "C" __global__ void clamp(const float* __restrict__ x, const float* __restrict__ low, const float* __restrict__ high,
                                 float* __restrict__ y, long long count, long long C) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i >= count) return;
  long long c = i - quotient(i, C) * C;
  if (C % 4 == 0) {
    const float4 v = *reinterpret_cast<const float4*>(x + i), l = *reinterpret_cast<const float4*>(low + c);
    const float4 h = *reinterpret_cast<const float4*>(high + c);
    *reinterpret_cast<float4*>(y + i) =
        make_float4(bounded(v.x, l.x, h.x), bounded(v.y, l.y, h.y), bounded(v.z, l.z, h.z), bounded(v.w, l.w, h.w));
    return;
  }
  for (long long k = i; k < min(i + 4, count); ++k) {
    y[k] = bounded(x[k], low[c], high[c]);
    if (++c == C) c = 0;
  }
}
