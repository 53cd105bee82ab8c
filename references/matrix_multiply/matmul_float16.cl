// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch wide  : float[round_up(M, 8) * K]
   scratch strips: float[div_up(N, 16) * K * 16]
   kernel widen_a   global [round_up(K, 64), round_up(M, 8)]  local [64, 1]  (a, wide, M, K)
   kernel to_strips global [round_up(N, 16), round_up(K, 4)]  local [16, 4]  (b, strips, K, N)
   kernel multiply  global [round_up(div_up(M, 8), 8), round_up(div_up(N, 16), 8)]  local [8, 8]  (wide, strips, y, M, K, N)
*/
// Both matrices are made float once. b is cut into strips of sixteen columns, and both are filled up with zeros. A work-item computes a
// tile of 8 rows and 16 columns, whose sums stay in registers over all of K.
#define ROWS 8
#define COLUMNS 16

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void widen_a(__global const half* restrict a, __global float* restrict wide,
                                                                      long M, long K) {
  const long k = get_global_id(0), row = get_global_id(1);
  if (k < K) wide[row * K + k] = row < M ? vload_half(row * K + k, a) : 0.0f;
}

__kernel __attribute__((reqd_work_group_size(16, 4, 1))) void to_strips(__global const half* restrict b, __global float* restrict strips,
                                                                        long K, long N) {
  const long k = get_global_id(1), column = get_global_id(0), lane = get_local_id(0), strip = get_group_id(0);
  if (k < K) strips[(strip * K + k) * COLUMNS + lane] = column < N ? vload_half(k * N + column, b) : 0.0f;
}

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void multiply(__global const float* restrict wide,
                                                                      __global const float* restrict strips, __global half* restrict y,
                                                                      long M, long K, long N) {
  const long row = (long)get_global_id(0) * ROWS, column = (long)get_global_id(1) * COLUMNS;
  if (row >= M || column >= N) return;
  wide += row * K;
  strips += column * K;
  float16 sum[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) sum[r] = 0.0f;
  for (long k = 0; k < K; ++k) {
    const float16 v = vload16(k, strips);
#pragma unroll
    for (int r = 0; r < ROWS; ++r) sum[r] += wide[r * K + k] * v;
  }

  const int width = (int)min(N - column, (long)COLUMNS);
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    if (row + r < M) {
      float lanes[COLUMNS];
      vstore16(sum[r], 0, lanes);
      for (int i = 0; i < width; ++i) vstore_half_rte(lanes[i], (row + r) * N + column + i, y);
    }
  }
}
