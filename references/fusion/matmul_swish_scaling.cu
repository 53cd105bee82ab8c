// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel layer grid [div_up(N, 64), div_up(M, 64)] block [512] (x, w, b, y, M, K, N)
*/
#include "blocks/product.cuh"

__device__ float doubled_swish(float z) { return 2 * z / (1 + expf(-z)); }

extern "C" __global__ void __launch_bounds__(kThreads)
    layer(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y, long long M,
          long long K, long long N) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  const auto whole = multiply(Rows(x, m0, M, K), Rows(w, n0, N, K), 0, K);
  for (int e = threadIdx.x; e < kTile * kTile; e += kThreads) {
    const long long m = m0 + e / kTile, n = n0 + e % kTile;
    if (m < M && n < N) y[m * N + n] = doubled_swish(whole[e / kTile][e % kTile] + b[n]);
  }
}
