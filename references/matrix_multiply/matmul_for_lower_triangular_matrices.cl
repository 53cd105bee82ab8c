// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply  global [round_up(div_up(N, 16), 8), round_up(div_up(N, 8), 8), 1]  local [8, 8, 1]  (a, b, c, N)
*/
// A work-group computes a tile of 64 rows and 128 columns, a work-item 8 by 16 of it. Tiles of both factors, 32 deep and padded
// with zeros, are brought into local memory; a work-item's sums are in registers while it goes through them.
// c(i, j) only needs the terms j <= k <= i, so a tile begins at its first column and ends at its last row, and tiles
// above the diagonal are zeros without any. Long sums come first, the short ones even out the loads at the end.
#define EDGE 8      // work-items of a work-group in either direction
#define ROWS 8      // of a work-item
#define COLUMNS 16  // of a work-item
#define DEPTH 32
#define STRIDE 33   // of the tile of a: work-items of different rows read different banks

// Up to sixteen elements of a row, of which the first `count` stand below the diagonal or on it; zeros for the others.
float16 load_part(__global const float* from, long count) {
  if (count >= COLUMNS) return vload16(0, from);
  float lanes[COLUMNS];
  for (int i = 0; i < COLUMNS; ++i) lanes[i] = i < count ? from[i] : 0.0f;
  return vload16(0, lanes);
}

void store_part(float16 v, __global float* to, long count) {
  if (count >= COLUMNS) {
    vstore16(v, 0, to);
    return;
  }
  float lanes[COLUMNS];
  vstore16(v, 0, lanes);
  for (int i = 0; i < count; ++i) to[i] = lanes[i];
}

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void multiply(__global const float* restrict a,
                                                                      __global const float* restrict b,
                                                                      __global float* restrict c, long N) {
  __local float left[EDGE * ROWS * STRIDE];
  __local float16 right[DEPTH * EDGE];
  const int item_row = get_local_id(1), item_column = get_local_id(0);
  const int item = item_row * EDGE + item_column;
  const long first_row = (long)(get_num_groups(1) - 1 - get_group_id(1)) * (EDGE * ROWS);  // long sums first
  const long row = first_row + item_row * ROWS, column = (long)get_global_id(0) * COLUMNS;
  const long first_column = (long)get_group_id(0) * (EDGE * COLUMNS);
  const bool active = row < N && column < N && column < row + ROWS;

  float16 sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0, sum4 = 0, sum5 = 0, sum6 = 0, sum7 = 0;
  for (long k0 = first_column; k0 < min(first_row + EDGE * ROWS, N); k0 += DEPTH) {
    // Each work-item brings one row of the tile of a and four vectors of the tile of b.
    const long from_row = first_row + item;
    for (int k = 0; k < DEPTH; k += COLUMNS) {
      float16 part = 0;
      if (from_row < N) part = load_part(a + from_row * N + k0 + k, from_row - k0 - k + 1);
      vstore16(part, 0, left + item * STRIDE + k);
    }
    for (int k = item_row; k < DEPTH; k += EDGE) {
      right[k * EDGE + item_column] = 0;
      if (k0 + k < N) right[k * EDGE + item_column] = load_part(b + (k0 + k) * N + column, k0 + k - column + 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (active) {
      __local const float* l = left + item_row * ROWS * STRIDE;
      float16 s0 = sum0, s1 = sum1, s2 = sum2, s3 = sum3, s4 = sum4, s5 = sum5, s6 = sum6, s7 = sum7;
      for (int k = 0; k < DEPTH; ++k) {
        const float16 r = right[k * EDGE + item_column];
        s0 += l[k] * r;
        s1 += l[k + STRIDE] * r;
        s2 += l[k + 2 * STRIDE] * r;
        s3 += l[k + 3 * STRIDE] * r;
        s4 += l[k + 4 * STRIDE] * r;
        s5 += l[k + 5 * STRIDE] * r;
        s6 += l[k + 6 * STRIDE] * r;
        s7 += l[k + 7 * STRIDE] * r;
      }
      sum0 = s0;
      sum1 = s1;
      sum2 = s2;
      sum3 = s3;
      sum4 = s4;
      sum5 = s5;
      sum6 = s6;
      sum7 = s7;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (row < N && column < N) {
    const long columns = N - column;
    c += row * N + column;
    store_part(sum0, c, columns);
    if (row + 1 < N) store_part(sum1, c + N, columns);
    if (row + 2 < N) store_part(sum2, c + 2 * N, columns);
    if (row + 3 < N) store_part(sum3, c + 3 * N, columns);
    if (row + 4 < N) store_part(sum4, c + 4 * N, columns);
    if (row + 5 < N) store_part(sum5, c + 5 * N, columns);
    if (row + 6 < N) store_part(sum6, c + 6 * N, columns);
    if (row + 7 < N) store_part(sum7, c + 7 * N, columns);
  }
}
