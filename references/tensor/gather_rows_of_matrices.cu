// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gather grid [div_up(B * K, 8)] block [256] (x, rows, y, B, M, N, K)
*/
#include "blocks/copied_rows.cuh"
#include "blocks/quotient.cuh"

extern "C" __global__ void gather(const float* __restrict__ x, const long long* __restrict__ rows, float* __restrict__ y, long long B,
                                  long long M, long long N, long long K) {
  const long long row = row_of_warp();
  if (row >= B * K) return;
  const long long b = quotient(row, K);
  copy_row(x + (b * M + rows[row - b * K]) * N, y + row * N, N);
}
