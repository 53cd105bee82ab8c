// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel add_rows  global [round_up(div_up(N, 16), 16), B]  local [16, 1]  (x, y, M, N)
*/
// A work-item adds up sixteen neighbouring columns, in sums of sixteen rows, sums of 32 of these and their sum, for one
// long sum in float32 would lose its small terms. The last work-item of a row moves back to have sixteen columns, too,
// and stores those that are its own.
#define COLUMNS 16
#define ROWS 16
#define BLOCKS 32

// One column, for rows narrower than a vector.
float add_column(__global const float* x, long M, long N) {
  float total = 0, block = 0;
  for (long m = 0; m < M;) {
    float part = 0;
    for (const long end = min(m + ROWS, M); m < end; ++m) part += x[m * N];
    block += part;
    if (m % (ROWS * BLOCKS) == 0 || m == M) {
      total += block;
      block = 0;
    }
  }
  return total;
}

float16 add_columns(__global const float* x, long M, long N) {
  float16 total = 0, block = 0;
  for (long m = 0; m < M;) {
    float16 part = 0;
    for (const long end = min(m + ROWS, M); m < end; ++m) part += vload16(0, x + m * N);
    block += part;
    if (m % (ROWS * BLOCKS) == 0 || m == M) {
      total += block;
      block = 0;
    }
  }
  return total;
}

__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void add_rows(__global const float* restrict x,
                                                                       __global float* restrict y, long M, long N) {
  const long column = (long)get_global_id(0) * COLUMNS;
  if (column >= N) return;
  x += get_group_id(1) * M * N;
  y += get_group_id(1) * N;
  if (N < COLUMNS) {
    for (long n = 0; n < N; ++n) y[n] = add_column(x + n, M, N);
    return;
  }
  const long first = min(column, N - COLUMNS);
  const float16 sum = add_columns(x + first, M, N);
  if (first == column) {
    vstore16(sum, 0, y + column);
    return;
  }
  float lanes[COLUMNS];
  vstore16(sum, 0, lanes);
  for (long n = column; n < N; ++n) y[n] = lanes[n - first];
}
