/* launch
   kernel matmul_blocked global [div_up(N, 16), div_up(M, 4)] (a, b, c, M, K, N)
*/
// Each work-item computes 4 rows x 16 columns in vector registers: per step of k, one row of b meets four scalars of a.
__kernel void matmul_blocked(__global const float* a, __global const float* b, __global float* c, long M, long K,
                             long N) {
  const long row = get_global_id(1) * 4, col = get_global_id(0) * 16;
  if (row + 4 <= M && col + 16 <= N) {
    float16 s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
    for (long k = 0; k < K; ++k) {
      const float16 v = vload16(0, b + k * N + col);
      s0 += a[(row + 0) * K + k] * v;
      s1 += a[(row + 1) * K + k] * v;
      s2 += a[(row + 2) * K + k] * v;
      s3 += a[(row + 3) * K + k] * v;
    }
    vstore16(s0, 0, c + (row + 0) * N + col);
    vstore16(s1, 0, c + (row + 1) * N + col);
    vstore16(s2, 0, c + (row + 2) * N + col);
    vstore16(s3, 0, c + (row + 3) * N + col);
    return;
  }
  // the ragged right and lower edge
  const long last_row = min(row + 4, M), last_col = min(col + 16, N);
  for (long i = row; i < last_row; ++i)
    for (long j = col; j < last_col; ++j) {
      float sum = 0.0f;
      for (long k = 0; k < K; ++k) sum += a[i * K + k] * b[k * N + j];
      c[i * N + j] = sum;
    }
}
