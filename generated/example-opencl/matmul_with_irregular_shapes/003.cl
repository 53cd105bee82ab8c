/* launch
   kernel matmul global [round_up(div_up(N, 32), 8), round_up(div_up(M, 32), 8)] local [8, 8] (a, b, c, M, K, N)
*/
// Maximum register blocking: every work-item holds a 32x32 block of c, and all inner loops are unrolled completely, so
// that no loop overhead remains and every index is a constant.
__kernel void matmul(__global const float* a, __global const float* b, __global float* c, long M, long K, long N) {
  const long row = get_global_id(1) * 32, col = get_global_id(0) * 32;
  float acc[32][32];
  #pragma unroll
  for (int i = 0; i < 32; ++i)
    #pragma unroll
    for (int j = 0; j < 32; ++j) acc[i][j] = 0.0f;

  for (long k = 0; k < K; k += 32) {
    #pragma unroll
    for (int kk = 0; kk < 32; ++kk) {
      #pragma unroll
      for (int i = 0; i < 32; ++i)
        #pragma unroll
        for (int j = 0; j < 32; ++j)
          if (k + kk < K && row + i < M && col + j < N)
            acc[i][j] += a[(row + i) * K + k + kk] * b[(k + kk) * N + col + j];
    }
  }

  #pragma unroll
  for (int i = 0; i < 32; ++i)
    #pragma unroll
    for (int j = 0; j < 32; ++j)
      if (row + i < M && col + j < N) c[(row + i) * N + col + j] = acc[i][j];
}
