// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel search  global [round_up(div_up(N, 16), 16), B]  local [16, 1]  (x, y, M, N)
*/
// A work-item takes sixteen neighbouring columns down the axis and keeps the best value of each and its position, which
// only something strictly larger, or the first NaN, replaces. The last work-item of a row moves back to have sixteen
// columns, too, and stores those that are its own.
#define COLUMNS 16

// One column, for rows narrower than a vector.
long search_column(__global const float* x, long M, long N) {
  float best = x[0];
  int position = 0;
  for (int m = 1; m < M; ++m) {
    const float value = x[m * N];
    if (!(value <= best) && best == best) {
      best = value;
      position = m;
    }
  }
  return position;
}

int16 search_columns(__global const float* x, long M, long N) {
  float16 best = vload16(0, x);
  int16 position = 0;
  for (int m = 1; m < M; ++m) {
    x += N;
    const float16 value = vload16(0, x);
    const int16 better = ~(value <= best) & (best == best);
    best = select(best, value, better);
    position = select(position, (int16)m, better);
  }
  return position;
}

__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void search(__global const float* restrict x,
                                                                     __global long* restrict y, long M, long N) {
  const long column = (long)get_global_id(0) * COLUMNS;
  if (column >= N) return;
  x += get_group_id(1) * M * N;
  y += get_group_id(1) * N;
  if (N < COLUMNS) {
    for (long n = 0; n < N; ++n) y[n] = search_column(x + n, M, N);
    return;
  }
  const long first = min(column, N - COLUMNS);
  const int16 position = search_columns(x + first, M, N);
  if (first == column) {
    vstore16(convert_long16(position), 0, y + column);
    return;
  }
  int lanes[COLUMNS];
  vstore16(position, 0, lanes);
  for (long n = column; n < N; ++n) y[n] = lanes[n - first];
}
