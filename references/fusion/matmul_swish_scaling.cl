// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch strips: float[div_up(N, 16) * K * 16]
   kernel to_strips  global [round_up(K, 64), div_up(N, 16)]  local [64, 1]  (w, strips, K, N)
   kernel product    global [round_up(div_up(M, 8), 8), round_up(div_up(N, 16), 8)]  local [8, 8]  (x, strips, b, y, M, K, N)
*/
// Sixteen rows of w are a strip, which holds them transposed, zeros in place of rows beyond N. So a vector has the weights of sixteen
// columns of y. A work-item computes a tile of 8 rows and 16 columns, whose sums stay in registers over all of K. Rows past the end repeat
// the last one and are dropped.
#define ROWS 8
#define COLUMNS 16

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void to_strips(__global const float* restrict w, __global float* restrict strips,
                                                                        long K, long N) {
  const long k = get_global_id(0), strip = get_global_id(1);
  if (k >= K) return;
  __global float* to = strips + (strip * K + k) * COLUMNS;
  for (int i = 0; i < COLUMNS; ++i) to[i] = strip * COLUMNS + i < N ? w[(strip * COLUMNS + i) * K + k] : 0.0f;
}

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void product(__global const float* restrict x,
                                                                     __global const float* restrict strips,
                                                                     __global const float* restrict b, __global float* restrict y,
                                                                     long M, long K, long N) {
  const long row = (long)get_global_id(0) * ROWS, column = (long)get_global_id(1) * COLUMNS;
  if (row >= M || column >= N) return;
  const int width = (int)min(N - column, (long)COLUMNS);
  strips += column * K;
  float lanes[COLUMNS];
  for (int i = 0; i < COLUMNS; ++i) lanes[i] = b[min(column + i, N - 1)];
  const float16 bias = vload16(0, lanes);
  __global const float* from[ROWS];
  float16 sum[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    from[r] = x + min(row + r, M - 1) * K;
    sum[r] = bias;
  }
  for (long k = 0; k < K; ++k) {
    const float16 v = vload16(k, strips);
#pragma unroll
    for (int r = 0; r < ROWS; ++r) sum[r] += from[r][k] * v;
  }

#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    if (row + r < M) {
      const float16 swish = 2.0f * (sum[r] / (1.0f + exp(-sum[r])));
      __global float* to = y + (row + r) * N + column;
      if (width == COLUMNS) {
        vstore16(swish, 0, to);
      } else {
        vstore16(swish, 0, lanes);
        for (int i = 0; i < width; ++i) to[i] = lanes[i];
      }
    }
  }
}
