// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply  global [round_up(div_up(N, 8), 8), round_up(div_up(N, 16), 8), 1]  local [8, 8, 1]
                     (a, b, c, N)
*/
// A work-item computes a tile of 8 rows and 16 columns, whose sums stay in registers over the terms j <= k <=
// i that c(i, j) needs. The work-items of a group share rows of a and columns of b through the cache. The
// last tile of a row of tiles moves back to have sixteen columns, too, and stores those that are its own;
// rows past the end repeat the last one and are dropped. Elements above a diagonal are replaced by zeros
// where a tile meets it; tiles above it are zeros without any term.
#define ROWS 8
#define COLUMNS 16

float16 load_columns(__global const float* row, int width) {
  if (width == COLUMNS) return vload16(0, row);
  float lanes[COLUMNS];
  for (int i = 0; i < COLUMNS; ++i) lanes[i] = row[min(i, width - 1)];
  return vload16(0, lanes);
}

// The same with zeros behind lane `last`, which stands on the diagonal.
float16 load_lower(__global const float* row, long last, int width) {
  const float16 v = load_columns(row, width);
  if (last >= COLUMNS - 1) return v;
  const int16 lane = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return select((float16)(0.0f), v, lane <= (int16)((int)last));
}

// Stores the lanes from `skip` on.
void store_columns(float16 v, __global float* row, int skip, int width) {
  if (skip == 0 && width == COLUMNS) {
    vstore16(v, 0, row);
    return;
  }
  float lanes[COLUMNS];
  vstore16(v, 0, lanes);
  for (int i = skip; i < width; ++i) row[i] = lanes[i];
}

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void multiply(__global const float* restrict a,
                                                                      __global const float* restrict b,
                                                                      __global float* restrict c, long N) {
  const long row = (long)(get_global_size(0) - 1 - get_global_id(0)) * ROWS;  // long sums first
  const long column = (long)get_global_id(1) * COLUMNS;
  if (row >= N || column >= N) return;
  const int width = (int)min(N, (long)COLUMNS);
  const long first = min(column, N - width);
  const int skip = (int)(column - first);

  __global const float* a0 = a + row * N;
  __global const float* a1 = a + min(row + 1, N - 1) * N;
  __global const float* a2 = a + min(row + 2, N - 1) * N;
  __global const float* a3 = a + min(row + 3, N - 1) * N;
  __global const float* a4 = a + min(row + 4, N - 1) * N;
  __global const float* a5 = a + min(row + 5, N - 1) * N;
  __global const float* a6 = a + min(row + 6, N - 1) * N;
  __global const float* a7 = a + min(row + 7, N - 1) * N;
  float16 s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
  for (long k = first; k <= row; ++k) {
    const float16 r = load_lower(b + k * N + first, k - first, width);
    s0 += a0[k] * r;
    s1 += a1[k] * r;
    s2 += a2[k] * r;
    s3 += a3[k] * r;
    s4 += a4[k] * r;
    s5 += a5[k] * r;
    s6 += a6[k] * r;
    s7 += a7[k] * r;
  }
  // Behind the first row's diagonal, where only the later rows have elements.
  for (long k = max(first, row + 1); k < min(row + ROWS, N); ++k) {
    const float16 r = load_lower(b + k * N + first, k - first, width);
    s1 += (k <= row + 1 ? a1[k] : 0.0f) * r;
    s2 += (k <= row + 2 ? a2[k] : 0.0f) * r;
    s3 += (k <= row + 3 ? a3[k] : 0.0f) * r;
    s4 += (k <= row + 4 ? a4[k] : 0.0f) * r;
    s5 += (k <= row + 5 ? a5[k] : 0.0f) * r;
    s6 += (k <= row + 6 ? a6[k] : 0.0f) * r;
    s7 += (k <= row + 7 ? a7[k] : 0.0f) * r;
  }

  c += row * N + first;
  store_columns(s0, c, skip, width);
  if (row + 1 < N) store_columns(s1, c + N, skip, width);
  if (row + 2 < N) store_columns(s2, c + 2 * N, skip, width);
  if (row + 3 < N) store_columns(s3, c + 3 * N, skip, width);
  if (row + 4 < N) store_columns(s4, c + 4 * N, skip, width);
  if (row + 5 < N) store_columns(s5, c + 5 * N, skip, width);
  if (row + 6 < N) store_columns(s6, c + 6 * N, skip, width);
  if (row + 7 < N) store_columns(s7, c + 7 * N, skip, width);
}
