// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply_each grid [B * div_up(M, 64) * div_up(N, 64)] block [512] (a, b, c, M, K, N)
*/
#include "blocks/product.cuh"

extern "C" __global__ void __launch_bounds__(kThreads)
    multiply_each(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, long long M, long long K, long long N) {
  const unsigned across = (N + kTile - 1) / kTile, down = (M + kTile - 1) / kTile;
  const long long batch = blockIdx.x / (across * down);
  const long long m0 = blockIdx.x / across % down * (long long)kTile, n0 = blockIdx.x % across * (long long)kTile;
  c += batch * M * N;
  const auto whole = multiply(Rows(a + batch * M * K, m0, M, K), Columns(b + batch * K * N, n0, N, K), 0, K);
  for (int e = threadIdx.x; e < kTile * kTile; e += kThreads) {
    const long long m = m0 + e / kTile, n = n0 + e % kTile;
    if (m < M && n < N) c[m * N + n] = whole[e / kTile][e % kTile];
  }
}
