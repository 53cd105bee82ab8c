// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel search  global [round_up(div_up(N, 16), 32), B]  local [32, 1]  (x, y, M, N)
*/
// A work-item searches sixteen neighbouring columns, a work-group a strip of 512. The barrier after every row keeps the
// work-items of a strip in the same row, so memory is read in the order in which it lies. A
// position is replaced only where something is strictly larger, or is the first NaN. The last
// work-item of a row moves back to have sixteen columns, too, and stores those that are its own.
#define COLUMNS 16
#define ITEMS 32

float16 load_columns(__global const float* row, int width) {
  if (width == COLUMNS) return vload16(0, row);
  float lanes[COLUMNS];
  for (int i = 0; i < COLUMNS; ++i) lanes[i] = row[min(i, width - 1)];
  return vload16(0, lanes);
}

__attribute__((always_inline)) void store_columns(int16 value, __global long* y, long first, long column, int width) {
  if (first == column && width == COLUMNS) {
    vstore16(convert_long16(value), 0, y + column);
    return;
  }
  int lanes[COLUMNS];
  vstore16(value, 0, lanes);
  for (long n = column; n < first + width; ++n) y[n] = lanes[n - first];
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void search(__global const float* restrict x,
    __global long* restrict y, long M, long N) {
  const long column = (long)get_global_id(0) * COLUMNS;
  const bool active = column < N;
  const int width = (int)min(N, (long)COLUMNS);
  const long first = min(column, N - width);
  x += get_group_id(1) * M * N + first;
  y += get_group_id(1) * N;
  float16 best = -INFINITY;
  int16 position = 0;
  if (active) best = load_columns(x, width);
  for (int m = 1; m < M; ++m) {
    if (active) {
      const float16 row = load_columns(x + m * N, width);
      const int16 better = ~(row <= best) & (best == best);
      best = select(best, row, better);
      position = select(position, (int16)m, better);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (active) store_columns(position, y, first, column, width);
}
