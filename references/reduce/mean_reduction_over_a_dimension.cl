// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel average_rows  global [round_up(div_up(N, 16), 32), B]  local [32, 1]  (x, y, M, N)
*/
// A work-item adds up sixteen neighbouring columns in double, a work-group a strip of 512. The barrier after every row keeps the work-items
// of a strip in the same row, so memory is read in the order in which it lies. Work-items at the end of a row and behind it move back to
// have sixteen columns, too, and store those that are their own.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define COLUMNS 16
#define ITEMS 32

float16 load_columns(__global const float* row, long N) {
  if (N >= COLUMNS) return vload16(0, row);
  float lanes[COLUMNS];
  for (int i = 0; i < COLUMNS; ++i) lanes[i] = row[min((long)i, N - 1)];
  return vload16(0, lanes);
}

void store_columns(float16 value, __global float* y, long first, long column, long N) {
  if (first == column && N >= COLUMNS) {
    vstore16(value, 0, y + column);
    return;
  }
  float lanes[COLUMNS];
  vstore16(value, 0, lanes);
  for (long n = column; n < min(first + COLUMNS, N); ++n) y[n] = lanes[n - first];
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void average_rows(__global const float* restrict x,
                                                                              __global float* restrict y, long M, long N) {
  const long column = (long)get_global_id(0) * COLUMNS;
  const long first = max(min(column, N - COLUMNS), 0L);
  x += get_group_id(1) * M * N + first;
  y += get_group_id(1) * N;
  double16 total = 0;
  for (long m = 0; m < M; ++m) {
    total += convert_double16(load_columns(x + m * N, N));
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  store_columns(convert_float16(total / (double)M), y, first, column, N);
}
