// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel search  global [round_up(div_up(N, 16), 32), B]  local [32, 1]  (x, y, M, N)
*/
// A work-item searches sixteen neighbouring columns, a work-group a strip of 512. The barrier after every row
// keeps the work-items of a strip in the same row, so memory is read in the order in which it lies. A
// position is replaced only where something is strictly larger, or is the first NaN. Work-items at
// the end of a row and behind it move back to have sixteen columns, too, and store those that are their own.
#define COLUMNS 16
#define ITEMS 32

float16 load_columns(__global const float* row, long N) {
  if (N >= COLUMNS) return vload16(0, row);
  float lanes[COLUMNS];
  for (int i = 0; i < COLUMNS; ++i) lanes[i] = row[min((long)i, N - 1)];
  return vload16(0, lanes);
}

void store_columns(int16 value, __global long* y, long first, long column, long N) {
  if (first == column && N >= COLUMNS) {
    vstore16(convert_long16(value), 0, y + column);
    return;
  }
  int lanes[COLUMNS];
  vstore16(value, 0, lanes);
  for (long n = column; n < min(first + COLUMNS, N); ++n) y[n] = lanes[n - first];
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void search(__global const float* restrict x,
                                                                        __global long* restrict y, long M,
                                                                        long N) {
  const long column = (long)get_global_id(0) * COLUMNS;
  const long first = max(min(column, N - COLUMNS), 0L);
  x += get_group_id(1) * M * N;
  y += get_group_id(1) * N;
  float16 best = load_columns(x + first, N);
  int16 position = 0;
  for (int m = 1; m < M; ++m) {
    const float16 row = load_columns(x + m * N + first, N);
    const int16 better = ~(row <= best) & (best == best);
    best = select(best, row, better);
    position = select(position, (int16)m, better);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  store_columns(position, y, first, column, N);
}
