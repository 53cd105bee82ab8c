// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(R, 8)] block [256] (row_pointers, columns, values, x, y, R)
*/
// A warp has a row.
#include <stdint.h>

extern "C" __global__ void multiply(const int64_t* __restrict__ row_pointers, const int64_t* __restrict__ columns,
                                    const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y, int64_t R) {
  const int64_t row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= R) return;
  const int64_t end = row_pointers[row + 1];
  float sum = 0;
#pragma unroll 4
  for (int64_t e = row_pointers[row] + threadIdx.x % 32; e < end; e += 32) sum = fmaf(values[e], x[columns[e]], sum);
  for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(0xffffffff, sum, width);
  if (threadIdx.x % 32 == 0) y[row] = sum;
}
