// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply_lower grid [div_up(N, 64), div_up(N, 64)] block [512] (a, b, c, N)
*/
// Sums begin at a tile's first column and end at its last row, because all other terms are zero. The longest of them come first.
#include "blocks/product.cuh"

// A triangle, whose rows are rows of the product: they end behind the diagonal.
struct Lower : AlongTerms {
  const float* from;
  long long terms;
  bool aligned;

  __device__ Lower(const float* p, long long first, long long size)
      : from(p + (first + row) * size), terms(first + row < size ? first + row + 1 : 0), aligned(size % 4 == 0) {}
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    k += term;
    if (aligned && k + kFetched <= terms) {
      load_four(from + k, into);
      load_four(from + k + 4, into + 4);
    } else {
      for (int i = 0; i < kFetched; ++i) into[i] = k + i < terms ? from[k + i] : 0;
    }
  }
};

// A triangle, whose columns are columns of the product: they begin at the diagonal.
struct LowerOnRight : Columns {
  long long first;

  __device__ LowerOnRight(const float* p, long long first, long long size) : Columns(p, first, size, size), first(first + column) {}
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    Columns::fetch(k, into);
    for (int i = 0; i < kFetched; ++i)
      if (first + i / 4 * (kTile / 2) + i % 4 > k + row) into[i] = 0;
  }
};

extern "C" __global__ void __launch_bounds__(kThreads)
    multiply_lower(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, long long N) {
  const long long M = N, m0 = (gridDim.y - 1 - blockIdx.y) * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  const auto whole = multiply(Lower(a, m0, N), LowerOnRight(b, n0, N), n0, min(m0 + kTile, N));
  for (int e = threadIdx.x; e < kTile * kTile; e += kThreads) {
    const long long m = m0 + e / kTile, n = n0 + e % kTile;
    if (m < M && n < N) c[m * N + n] = m < n ? 0 : whole[e / kTile][e % kTile];
  }
}
