// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply_groups grid [M / 64 + G, div_up(N, 64)] block [128] (a, b, offsets, y, K, G, N)
*/
#include "blocks/groups.cuh"
#include "blocks/product.cuh"

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    multiply_groups(const float* __restrict__ a, const float* __restrict__ b, const int64_t* __restrict__ offsets, float* __restrict__ y,
                    int64_t K, int64_t G, int64_t N) {
  const GroupTile tile(offsets, G, blockIdx.x, kTile);
  if (!tile.exists) return;
  const int64_t n0 = blockIdx.y * (int64_t)kTile;
  multiply_alone(Rows(a, tile.first, tile.end, K), Columns(b + tile.group * K * N, n0, N, K), K, StoreRows(y, tile.first, tile.end, n0, N));
}
