// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel repeat grid [div_up(N * C, 8)] block [256] (x, y, long(N * C), D, R)
*/
#include "blocks/copied_rows.cuh"

extern "C" __global__ void repeat(const float* __restrict__ x, float* __restrict__ y, long long rows, long long D, long long R) {
  const long long row = row_of_warp();
  if (row < rows) copy_row(x + row * D, y + row * R * D, D, R);
}
