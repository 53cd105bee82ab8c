// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel backward grid [div_up(M, 32) + div_up(N, 64) * div_up(K, 64) + div_up(M, 64) * div_up(K, 64)] block [128]
                   (x, w, dy, dx, dw, db, N, K, M)
*/
// One launch for all three, as each product alone has too few tiles for a large GPU. The first blocks add up 32 columns of dy each, those
// that follow have a tile of dx, the last ones a tile of dw.
#include "blocks/product.cuh"

constexpr int kColumns = 32;

// A thread goes down every fourth row of a column.
__device__ void add_columns(const float* __restrict__ dy, float* __restrict__ db, float* parts, long long N, long long M) {
  const long long m = blockIdx.x * (long long)kColumns + threadIdx.x % kColumns;
  float sum = 0;
  if (m < M) {
#pragma unroll 8
    for (long long n = threadIdx.x / kColumns; n < N; n += kGroup / kColumns) sum += dy[n * M + m];
  }
  parts[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x >= kColumns || m >= M) return;
  for (int part = 1; part < kGroup / kColumns; ++part) sum += parts[part * kColumns + threadIdx.x];
  db[m] = sum;
}

// As multiply_alone(), but in shared memory that both products have.
template <class Left, class Right>
__device__ void multiply_in(Shared<1>& shared, const Left& left, const Right& right, long long depth, const StoreRows& store) {
  float sum[2][4][4] = {};
  bool is_exact = add_terms<1>(left, right, 0, depth, shared.parts, sum);
  for_pairs(sum, [&](int, int, float2 pair) { is_exact &= is_finite(pair); });
  if (!__syncthreads_or(!is_exact)) return for_pairs(sum, store);
  auto& whole = shared.plain.whole;
  multiply_plainly<1, 1>(left, right, 0, depth, shared.plain.tiles, whole);
  for (int e = threadIdx.x * 2; e < kTile * kTile; e += kGroup * 2)
    store(e / kTile, e % kTile, *reinterpret_cast<const float2*>(&whole[e / kTile][e % kTile]));
}

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    backward(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ dy, float* __restrict__ dx,
             float* __restrict__ dw, float* __restrict__ db, long long N, long long K, long long M) {
  __shared__ __align__(128) Shared<1> shared;
  const unsigned sums = (M + kColumns - 1) / kColumns, across = (K + kTile - 1) / kTile, of_dx = (N + kTile - 1) / kTile * across;
  if (blockIdx.x < sums) return add_columns(dy, db, reinterpret_cast<float*>(shared.parts), N, M);
  const unsigned tile = blockIdx.x - sums;
  const bool is_dx = tile < of_dx;
  const unsigned place = is_dx ? tile : tile - of_dx;
  const long long m0 = place / across * (long long)kTile, n0 = place % across * (long long)kTile;
  if (is_dx) multiply_in(shared, Rows(dy, m0, N, M), Columns(w, n0, K, M), M, StoreRows(dx, m0, N, n0, K));
  else multiply_in(shared, Columns(dy, m0, M, N), Columns(x, n0, K, N), N, StoreRows(dw, m0, M, n0, K));
}
