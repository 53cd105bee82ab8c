// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply_tiles grid [div_up(N, 64), div_up(M, 64)] block [256] (a, b, c, M, K, N)
*/
// What is outside of the matrices is zero in both, so that no infinity meets a zero there.
#include "blocks/product.cuh"

extern "C" __global__ void __launch_bounds__(2 * kGroup, 2)
    multiply_tiles(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, long long M, long long K, long long N) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  const auto whole = multiply<2>(Rows(a, m0, M, K), Columns(b, n0, N, K), 0, K);
  for (int e = threadIdx.x; e < kTile * kTile; e += 2 * kGroup) {
    const long long m = m0 + e / kTile, n = n0 + e % kTile;
    if (m < M && n < N) c[m * N + n] = whole[e / kTile][e % kTile];
  }
}
