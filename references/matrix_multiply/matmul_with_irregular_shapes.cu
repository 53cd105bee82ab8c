// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(N, 64), div_up(M, 64)] block [16, 16] (a, b, c, M, K, N)
*/
// A block computes a tile of 64 x 64, a thread 4 x 4 of it, whose sums stay in registers. Sixteen columns of a and rows of b at a time lie
// in shared memory; what is outside of the matrices is zero there.
constexpr int kTile = 64, kDepth = 16, kEach = 4, kSide = kTile / kEach;

extern "C" __global__ void multiply(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, long long M,
                                    long long K, long long N) {
  __shared__ float rows[kDepth][kTile + 1], columns[kDepth][kTile];
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  const int thread = threadIdx.y * kSide + threadIdx.x;
  float sum[kEach][kEach] = {};
  for (long long k0 = 0; k0 < K; k0 += kDepth) {
    for (int i = thread; i < kTile * kDepth; i += kSide * kSide) {
      const int m = i / kDepth, k = i % kDepth;
      rows[k][m] = m0 + m < M && k0 + k < K ? a[(m0 + m) * K + k0 + k] : 0;
    }
    for (int i = thread; i < kDepth * kTile; i += kSide * kSide) {
      const int k = i / kTile, n = i % kTile;
      columns[k][n] = n0 + n < N && k0 + k < K ? b[(k0 + k) * N + n0 + n] : 0;
    }
    __syncthreads();
    const int depth = K - k0 < kDepth ? (int)(K - k0) : kDepth;  // a zero times an infinity beyond the end would be NaN
    for (int k = 0; k < depth; ++k) {
      float left[kEach], right[kEach];
      for (int i = 0; i < kEach; ++i) left[i] = rows[k][threadIdx.y + i * kSide];
      for (int j = 0; j < kEach; ++j) right[j] = columns[k][threadIdx.x + j * kSide];
      for (int i = 0; i < kEach; ++i)
        for (int j = 0; j < kEach; ++j) sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; ++j) {
      const long long m = m0 + threadIdx.y + i * kSide, n = n0 + threadIdx.x + j * kSide;
      if (m < M && n < N) c[m * N + n] = sum[i][j];
    }
}
