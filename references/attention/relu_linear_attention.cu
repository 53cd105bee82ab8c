// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch state: float[B * D * V]
   kernel sum_states grid [B * div_up(D, 64) * div_up(V, 64)] block [256] (k, v, state, D, S, V)
   kernel ask_states grid [B * div_up(N, 64) * div_up(V, 64)] block [128] (q, state, y, N, D, V)
*/
// Features are made of numbers where the products fetch these.
#include "blocks/product.cuh"

// What lies outside becomes 0.000001, too: the other matrix has 0 there, or its sum is not stored.
template <class Matrix>
struct Features : Matrix {
  using Matrix::Matrix;
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    Matrix::fetch(k, into);
    for (float& x : into) x = (x < 0 ? 0 : x) + 1e-6f;  // NaN stays
  }
};

// A block's tile of the matrices [rows, columns].
struct Tile {
  long long matrix, row, column;
  __device__ Tile(long long rows, long long columns) {
    const unsigned across = (columns + kTile - 1) / kTile, down = (rows + kTile - 1) / kTile;
    matrix = blockIdx.x / (across * down);
    row = blockIdx.x / across % down * (long long)kTile;
    column = blockIdx.x % across * (long long)kTile;
  }
};

extern "C" __global__ void __launch_bounds__(2 * kGroup, 2)
    sum_states(const float* __restrict__ k, const float* __restrict__ v, float* __restrict__ state, long long D, long long S, long long V) {
  const Tile tile(D, V);
  const auto whole =
      multiply<2>(Features<Columns>(k + tile.matrix * S * D, tile.row, D, S), Columns(v + tile.matrix * S * V, tile.column, V, S), 0, S);
  for (int e = threadIdx.x; e < kTile * kTile; e += 2 * kGroup) {
    const long long d = tile.row + e / kTile, at = tile.column + e % kTile;
    if (d < D && at < V) state[(tile.matrix * D + d) * V + at] = whole[e / kTile][e % kTile];
  }
}

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    ask_states(const float* __restrict__ q, const float* __restrict__ state, float* __restrict__ y, long long N, long long D, long long V) {
  const Tile tile(N, V);
  multiply_alone(Features<Rows>(q + tile.matrix * N * D, tile.row, N, D), Columns(state + tile.matrix * D * V, tile.column, V, D), D,
                 StoreRows(y + tile.matrix * N * V, tile.row, N, tile.column, V));
}
