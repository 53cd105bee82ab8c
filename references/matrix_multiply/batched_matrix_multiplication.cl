// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply  global [round_up(div_up(N, 8), 8), round_up(div_up(M, 8), 8), B]  local [8, 8, 1]  (a, b, c, M, K, N)
*/
// A work-group computes a tile of 64 by 64, a work-item eight by eight of it. Tiles of both factors, 32 deep and padded
// with zeros, are brought into local memory; a work-item's sums are in registers while it goes through them.
#define TILE 64
#define DEPTH 32
#define EDGE 8      // rows and columns of a work-item
#define STRIDE 33   // of the tile of a: work-items of different rows read different banks

// Up to eight elements of a row, zeros beyond its end.
float8 load_part(__global const float* from, long count) {
  if (count >= EDGE) return vload8(0, from);
  float lanes[EDGE];
  for (int i = 0; i < EDGE; ++i) lanes[i] = i < count ? from[i] : 0.0f;
  return vload8(0, lanes);
}

void store_part(float8 v, __global float* to, long count) {
  if (count >= EDGE) {
    vstore8(v, 0, to);
    return;
  }
  float lanes[EDGE];
  vstore8(v, 0, lanes);
  for (int i = 0; i < count; ++i) to[i] = lanes[i];
}

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void multiply(__global const float* restrict a,
                                                                      __global const float* restrict b,
                                                                      __global float* restrict c, long M, long K, long N) {
  __local float left[TILE * STRIDE];
  __local float8 right[DEPTH * EDGE];
  const int item_row = get_local_id(1), item_column = get_local_id(0);
  const int item = item_row * EDGE + item_column;
  const long first_row = (long)get_group_id(1) * TILE;
  const long row = first_row + item_row * EDGE, column = (long)get_global_id(0) * EDGE;
  a += get_group_id(2) * M * K;
  b += get_group_id(2) * K * N;
  c += get_group_id(2) * M * N;
  const bool active = row < M && column < N;

  float8 sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0, sum4 = 0, sum5 = 0, sum6 = 0, sum7 = 0;
  for (long k0 = 0; k0 < K; k0 += DEPTH) {
    // Each work-item brings one row of the tile of a and four vectors of the tile of b.
    const long from_row = first_row + item;
    for (int k = 0; k < DEPTH; k += EDGE) {
      float8 part = 0;
      if (from_row < M) part = load_part(a + from_row * K + k0 + k, K - k0 - k);
      vstore8(part, 0, left + item * STRIDE + k);
    }
    for (int k = item_row; k < DEPTH; k += EDGE) {
      right[k * EDGE + item_column] = 0;
      if (k0 + k < K) right[k * EDGE + item_column] = load_part(b + (k0 + k) * N + column, N - column);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (active) {
      __local const float* l = left + item_row * EDGE * STRIDE;
      float8 s0 = sum0, s1 = sum1, s2 = sum2, s3 = sum3, s4 = sum4, s5 = sum5, s6 = sum6, s7 = sum7;
      for (int k = 0; k < DEPTH; ++k) {
        const float8 r = right[k * EDGE + item_column];
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

  if (active) {
    const long columns = N - column;
    c += row * N + column;
    store_part(sum0, c, columns);
    if (row + 1 < M) store_part(sum1, c + N, columns);
    if (row + 2 < M) store_part(sum2, c + 2 * N, columns);
    if (row + 3 < M) store_part(sum3, c + 3 * N, columns);
    if (row + 4 < M) store_part(sum4, c + 4 * N, columns);
    if (row + 5 < M) store_part(sum5, c + 5 * N, columns);
    if (row + 6 < M) store_part(sum6, c + 6 * N, columns);
    if (row + 7 < M) store_part(sum7, c + 7 * N, columns);
  }
}
