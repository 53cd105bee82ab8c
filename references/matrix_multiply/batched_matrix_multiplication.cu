// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply_each grid [B * div_up(M, 64) * div_up(N, 64)] block [128] (a, b, c, M, K, N)
*/
#include "blocks/product.cuh"

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    multiply_each(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, long long M, long long K, long long N) {
  const unsigned across = (N + kTile - 1) / kTile, down = (M + kTile - 1) / kTile;
  const long long batch = blockIdx.x / (across * down);
  const long long m0 = blockIdx.x / across % down * (long long)kTile, n0 = blockIdx.x % across * (long long)kTile;
  multiply_alone(Rows(a + batch * M * K, m0, M, K), Columns(b + batch * K * N, n0, N, K), K, StoreRows(c + batch * M * N, m0, M, n0, N));
}
