// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply_rows  global [round_up(div_up(N, 16), 32), B]  local [32, 1]  (x, y, M, N)
*/
// A work-item multiplies sixteen neighbouring columns, a work-group a strip of 512. The barrier after every row keeps the
// work-items of a strip in the same row, so memory is read in the order in which it lies, and
// products are double: neither the rounding nor the range of a partial one matters then. The last
// work-item of a row moves back to have sixteen columns, too, and stores those that are its own.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define COLUMNS 16
#define ITEMS 32

float16 load_columns(__global const float* row, int width) {
  if (width == COLUMNS) return vload16(0, row);
  float lanes[COLUMNS];
  for (int i = 0; i < COLUMNS; ++i) lanes[i] = row[min(i, width - 1)];
  return vload16(0, lanes);
}

__attribute__((always_inline)) void store_columns(float16 value, __global float* y, long first, long column, int width) {
  if (first == column && width == COLUMNS) {
    vstore16(value, 0, y + column);
    return;
  }
  float lanes[COLUMNS];
  vstore16(value, 0, lanes);
  for (long n = column; n < first + width; ++n) y[n] = lanes[n - first];
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void multiply_rows(__global const float* restrict x,
    __global float* restrict y, long M, long N) {
  const long column = (long)get_global_id(0) * COLUMNS;
  const bool active = column < N;
  const int width = (int)min(N, (long)COLUMNS);
  const long first = min(column, N - width);
  x += get_group_id(1) * M * N + first;
  y += get_group_id(1) * N;
  double8 left = 1, right = 1;
  for (long m = 0; m < M; ++m) {
    if (active) {
      const float16 row = load_columns(x + m * N, width);
      left *= convert_double8(row.lo);
      right *= convert_double8(row.hi);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (active) store_columns((float16)(convert_float8(left), convert_float8(right)), y, first, column, width);
}
