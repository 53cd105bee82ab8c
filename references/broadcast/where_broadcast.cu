// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pick grid [div_up(div_up(B * N * C, 4), 256)] block [256] (cond, a, b, y, long(B * N * C), N, C)
*/
// A thread has four neighbouring numbers. As a rule they lie in one row; then only the tensor that is picked is read.
#include "blocks/quotient.cuh"

extern "C" __global__ void pick(const bool* __restrict__ cond, const float* __restrict__ a, const float* __restrict__ b,
                                float* __restrict__ y, long long count, long long N, long long C) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i >= count) return;
  const long long row = quotient(i, C), column = i - row * C;
  const long long n = row - quotient(row, N) * N;
  if (i + 4 <= count && column + 4 <= C) {
    *reinterpret_cast<float4*>(y + i) = *reinterpret_cast<const float4*>((cond[n] ? a : b) + i);
    return;
  }
  long long c = column, at = n;
  for (long long k = i; k < min(i + 4, count); ++k) {
    y[k] = cond[at] ? a[k] : b[k];
    if (++c == C) {
      c = 0;
      if (++at == N) at = 0;
    }
  }
}
