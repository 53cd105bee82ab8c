// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel logic_and grid [div_up(div_up(B * N * C, 16), 256)] block [256] (a, b, y, long(B * N * C), N, C)
*/
// A thread has sixteen neighbouring bytes. As a rule they lie in one row, which is copied or cleared as a whole.
#include <stdint.h>

#include "blocks/quotient.cuh"

extern "C" __global__ void logic_and(const uint8_t* __restrict__ a, const uint8_t* __restrict__ b, uint8_t* __restrict__ y, long long count,
                                     long long N, long long C) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 16;
  if (i >= count) return;
  const long long row = quotient(i, C), column = i - row * C;
  const long long n = row - quotient(row, N) * N;
  if (i + 16 <= count && column + 16 <= C) {
    uint4 v = make_uint4(0, 0, 0, 0);
    if (b[n]) v = *reinterpret_cast<const uint4*>(a + i);
    *reinterpret_cast<uint4*>(y + i) = v;
    return;
  }
  long long c = column, at = n;
  for (long long k = i; k < min(i + 16, count); ++k) {
    y[k] = a[k] && b[at];
    if (++c == C) {
      c = 0;
      if (++at == N) at = 0;
    }
  }
}
