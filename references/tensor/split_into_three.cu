// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel split grid [div_up(N * (A + B + C), 8)] block [256] (x, first, second, third, N, A, B, C, D)
*/
#include "blocks/copied_rows.cuh"
#include "blocks/quotient.cuh"

extern "C" __global__ void split(const float* __restrict__ x, float* __restrict__ first, float* __restrict__ second,
                                 float* __restrict__ third, long long N, long long A, long long B, long long C, long long D) {
  const long long row = row_of_warp(), rows = A + B + C;
  if (row >= N * rows) return;
  const long long n = quotient(row, rows), place = row - n * rows;
  float* to = place < A       ? first + (n * A + place) * D
              : place < A + B ? second + (n * B + place - A) * D
                              : third + (n * C + place - A - B) * D;
  copy_row(x + row * D, to, D);
}
