// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch strips: float[div_up(N, 16) * K * 16]
   kernel to_strips  global [round_up(K, 64), div_up(N, 16)]  local [64, 1]  (b, strips, K, N)
   kernel multiply   global [round_up(div_up(M, 8), 8), round_up(div_up(N, 16), 8)]  local [8, 8]  (a, strips, y, M, K, N)
*/
// Sixteen rows of b are a strip, which holds them transposed, zeros in place of rows beyond N. So a vector has the factors of sixteen
// columns of y. A work-item computes a tile of 8 rows and 16 columns, whose sums stay in registers over all of K. Rows past the end repeat
// the last one and are dropped.
#define ROWS 8
#define COLUMNS 16

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void to_strips(__global const float* restrict b, __global float* restrict strips,
                                                                        long K, long N) {
  const long k = get_global_id(0), strip = get_global_id(1);
  if (k >= K) return;
  __global float* to = strips + (strip * K + k) * COLUMNS;
  for (int i = 0; i < COLUMNS; ++i) to[i] = strip * COLUMNS + i < N ? b[(strip * COLUMNS + i) * K + k] : 0.0f;
}

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void multiply(__global const float* restrict a,
                                                                      __global const float* restrict strips,
                                                                      __global float* restrict y, long M, long K, long N) {
  const long row = (long)get_global_id(0) * ROWS, column = (long)get_global_id(1) * COLUMNS;
  if (row >= M || column >= N) return;
  strips += column * K;
  __global const float* from[ROWS];
  float16 sum[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    from[r] = a + min(row + r, M - 1) * K;
    sum[r] = 0.0f;
  }
  for (long k = 0; k < K; ++k) {
    const float16 v = vload16(k, strips);
#pragma unroll
    for (int r = 0; r < ROWS; ++r) sum[r] += from[r][k] * v;
  }

  const int width = (int)min(N - column, (long)COLUMNS);
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    if (row + r < M) {
      __global float* to = y + (row + r) * N + column;
      if (width == COLUMNS) {
        vstore16(sum[r], 0, to);
      } else {
        float lanes[COLUMNS];
        vstore16(sum[r], 0, lanes);
        for (int i = 0; i < width; ++i) to[i] = lanes[i];
      }
    }
  }
}
