// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply  global [round_up(div_up(M, 8), 8), round_up(div_up(N, 16), 8), 1]  local [8, 8, 1]
                     (a, b, c, M, K, N)
*/
// A work-item computes a tile of 8 rows and 16 columns, whose sums stay in registers over all of K. The
// work-items of a group share rows of a and columns of b through the cache. The last tile of a row of tiles
// moves back to have sixteen columns, too, and stores those that are its own; rows past the end repeat the
// last one and are dropped.
#define ROWS 8
#define COLUMNS 16

float16 load_columns(__global const float* row, int width) {
  if (width == COLUMNS) return vload16(0, row);
  float lanes[COLUMNS];
  for (int i = 0; i < COLUMNS; ++i) lanes[i] = row[min(i, width - 1)];
  return vload16(0, lanes);
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
                                                                      __global float* restrict c, long M,
                                                                      long K, long N) {
  const long row = (long)get_global_id(0) * ROWS, column = (long)get_global_id(1) * COLUMNS;
  if (row >= M || column >= N) return;
  const int width = (int)min(N, (long)COLUMNS);
  const long first = min(column, N - width);
  const int skip = (int)(column - first);

  __global const float* a0 = a + row * K;
  __global const float* a1 = a + min(row + 1, M - 1) * K;
  __global const float* a2 = a + min(row + 2, M - 1) * K;
  __global const float* a3 = a + min(row + 3, M - 1) * K;
  __global const float* a4 = a + min(row + 4, M - 1) * K;
  __global const float* a5 = a + min(row + 5, M - 1) * K;
  __global const float* a6 = a + min(row + 6, M - 1) * K;
  __global const float* a7 = a + min(row + 7, M - 1) * K;
  float16 s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
  for (long k = 0; k < K; ++k) {
    const float16 r = load_columns(b + k * N + first, width);
    s0 += a0[k] * r;
    s1 += a1[k] * r;
    s2 += a2[k] * r;
    s3 += a3[k] * r;
    s4 += a4[k] * r;
    s5 += a5[k] * r;
    s6 += a6[k] * r;
    s7 += a7[k] * r;
  }

  c += row * N + first;
  store_columns(s0, c, skip, width);
  if (row + 1 < M) store_columns(s1, c + N, skip, width);
  if (row + 2 < M) store_columns(s2, c + 2 * N, skip, width);
  if (row + 3 < M) store_columns(s3, c + 3 * N, skip, width);
  if (row + 4 < M) store_columns(s4, c + 4 * N, skip, width);
  if (row + 5 < M) store_columns(s5, c + 5 * N, skip, width);
  if (row + 6 < M) store_columns(s6, c + 6 * N, skip, width);
  if (row + 7 < M) store_columns(s7, c + 7 * N, skip, width);
}
