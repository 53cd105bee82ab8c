// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch l: double[round_up(N, 8) * round_up(N, 8)]
   kernel factor  global [64]  local [64]  (x, l, N)
   kernel store   global [round_up(N, 64), N]  local [64, 1]  (l, y, N)
*/
// In double, a panel of eight columns at a time, in one work-group. l has columns, one after the other, so a vector has eight rows of one.
// A work-item takes what the earlier panels give from blocks of eight rows; then one work-item factors the block on the diagonal, and all
// divide the blocks below by it. The matrix is filled up with the identity.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 64
#define BLOCK 8

// Rows `row` and further of column `column` of x.
double8 load_column(__global const float* x, long row, long column, long N) {
  double lanes[BLOCK];
  for (int i = 0; i < BLOCK; ++i)
    lanes[i] = row + i < N && column < N ? (double)x[(row + i) * N + column] : row + i == column ? 1.0 : 0.0;
  return vload8(0, lanes);
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void factor(__global const float* restrict x, __global double* restrict l,
                                                                        long N) {
  __local double corner[BLOCK * BLOCK], inverse[BLOCK];
  const int item = get_local_id(0);
  const long height = (N + BLOCK - 1) / BLOCK * BLOCK;
  for (long first = 0; first < N; first += BLOCK) {
    __global double* panel = l + first * height;
    for (long row = first + item * BLOCK; row < N; row += ITEMS * BLOCK) {
      double8 left[BLOCK];
#pragma unroll
      for (int c = 0; c < BLOCK; ++c) left[c] = load_column(x, row, first + c, N);
      for (long k = 0; k < first; ++k) {
        const double8 v = vload8(0, l + k * height + row);
#pragma unroll
        for (int c = 0; c < BLOCK; ++c) left[c] -= l[k * height + first + c] * v;
      }
#pragma unroll
      for (int c = 0; c < BLOCK; ++c) vstore8(left[c], 0, panel + c * height + row);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (item == 0) {
      for (int c = 0; c < BLOCK; ++c) {
        for (int i = c; i < BLOCK; ++i) {
          double left = panel[c * height + first + i];
          for (int k = 0; k < c; ++k) left -= corner[k * BLOCK + i] * corner[k * BLOCK + c];
          corner[c * BLOCK + i] = i == c ? sqrt(left) : left / corner[c * BLOCK + c];
        }
        inverse[c] = 1 / corner[c * BLOCK + c];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (long row = first + item * BLOCK; row < N; row += ITEMS * BLOCK) {
      double8 column[BLOCK];
#pragma unroll
      for (int c = 0; c < BLOCK; ++c) {
        column[c] = vload8(0, panel + c * height + row);
#pragma unroll
        for (int k = 0; k < c; ++k) column[c] -= corner[k * BLOCK + c] * column[k];
        column[c] *= inverse[c];
        vstore8(column[c], 0, panel + c * height + row);
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void store(__global const double* restrict l, __global float* restrict y, long N) {
  const long column = get_global_id(0), row = get_global_id(1), height = (N + BLOCK - 1) / BLOCK * BLOCK;
  if (column < N) y[row * N + column] = column <= row ? (float)l[column * height + row] : 0.0f;
}
