// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch strips : float[div_up(M, 16) * K * 16]
   kernel to_strips  global [round_up(K, 64), div_up(M, 16)]  local [64, 1]  (x, strips, M, K)
   kernel product    global [round_up(div_up(M, 16), 4), round_up(div_up(N, 8), 8)]  local [4, 8]
                     (strips, w, b, y, M, K, N)
*/
// x is transposed into strips of 16 rows, so that one vector holds a column of a strip, and w is read
// where it lies, one number for all lanes. A work-item keeps a tile of 16 rows by 8 columns of y in
// registers through all of K; bias and ReLU are applied before it is stored.

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void to_strips(__global const float* restrict x,
                                                                        __global float* restrict strips,
                                                                        long M, long K) {
  long k = get_global_id(0), strip = get_global_id(1);
  if (k >= K) return;
  __global float* to = strips + (strip * K + k) * 16;
  for (int i = 0; i < 16; ++i) to[i] = strip * 16 + i < M ? x[(strip * 16 + i) * K + k] : 0.0f;
}

void store_column(float16 sum, float bias, __global float* y, long N, long rows) {
  float column[16];
  sum += bias;
  vstore16(sum < 0.0f ? (float16)(0.0f) : sum, 0, column);
  for (long i = 0; i < rows; ++i) y[i * N] = column[i];
}

__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void product(__global const float* restrict strips,
                                                                     __global const float* restrict w,
                                                                     __global const float* restrict b,
                                                                     __global float* restrict y, long M,
                                                                     long K, long N) {
  long m = (long)get_global_id(0) * 16, n = (long)get_global_id(1) * 8;
  if (m >= M || n >= N) return;
  __global const float* x = strips + m * K;
  long rows = min(16L, M - m);
  if (n + 8 <= N) {
    float16 sum[8];
#pragma unroll
    for (int r = 0; r < 8; ++r) sum[r] = 0.0f;
    __global const float* from = w + n * K;
    for (long k = 0; k < K; ++k) {
      float16 v = vload16(k, x);
#pragma unroll
      for (int r = 0; r < 8; ++r) sum[r] = fma((float16)(from[r * K + k]), v, sum[r]);
    }
#pragma unroll
    for (int r = 0; r < 8; ++r) store_column(sum[r], b[n + r], y + m * N + n + r, N, rows);
  } else {
    for (; n < N; ++n) {
      float16 sum = 0.0f;
      for (long k = 0; k < K; ++k) sum = fma((float16)(w[n * K + k]), vload16(k, x), sum);
      store_column(sum, b[n], y + m * N + n, N, rows);
    }
  }
}
