// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel largest_of_rows  global [round_up(div_up(N, 16), 32), B]  local [32, 1]  (x, y, M, N)
*/
// A work-item has sixteen neighbouring columns, a work-group a strip of 512. The barrier after every row keeps the work-items of a strip in
// the same row, so memory is read in the order in which it lies. Work-items at the end of a row and behind it move back to have sixteen
// columns, too, and store those that are their own.
#define COLUMNS 16
#define ITEMS 32

// NaN wins over every number.
float16 larger(float16 a, float16 b) {
  const float16 greater = a > b ? a : b;  // b if either is NaN
  return a != a ? a : greater;
}

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

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void largest_of_rows(__global const float* restrict x,
                                                                                 __global float* restrict y, long M, long N) {
  const long column = (long)get_global_id(0) * COLUMNS;
  const long first = max(min(column, N - COLUMNS), 0L);
  x += get_group_id(1) * M * N + first;
  y += get_group_id(1) * N;
  float16 largest = load_columns(x, N);
  for (long m = 1; m < M; ++m) {
    barrier(CLK_LOCAL_MEM_FENCE);
    largest = larger(largest, load_columns(x + m * N, N));
  }
  store_columns(largest, y, first, column, N);
}
