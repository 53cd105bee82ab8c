// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(R, 8), min(div_up(D, 128), 65535)] block [256] (values, columns, b, y, R, K, D)
*/
// A warp has a row of y. Its lanes read 32 places of A at once and hand them around, so that the rows of b need not wait for one another.
// Rows of empty places are zeros.
constexpr int kUnits = 1;
#include "blocks/warp_rows.cuh"

constexpr unsigned kAll = 0xffffffff;

template <class Unit>
__device__ void add_rows(const float* __restrict__ values, const int* __restrict__ columns, const float* __restrict__ b,
                         float* __restrict__ y, long long K, long long D) {
  const int lane = threadIdx.x % 32;
  for (long long d = Piece<Unit>::begin(); d < D; d += Piece<Unit>::step()) {
    Piece<Unit> sum(d, D);
    for (long long begin = 0; begin < K; begin += 32) {
      const int own = begin + lane < K ? columns[begin + lane] : -1;
      const float own_factor = own >= 0 ? values[begin + lane] : 0;
      const int count = (int)min(K - begin, 32ll);
#pragma unroll 8
      for (int k = 0; k < count; ++k) {
        const int column = __shfl_sync(kAll, own, k);
        const float factor = __shfl_sync(kAll, own_factor, k);
        const bool there = column >= 0 && sum.first < sum.units;
        const Unit v = there ? reinterpret_cast<const Unit*>(b + column * D)[sum.first] : Unit{};
        sum.sums[0] = scaled(factor, v, sum.sums[0]);
      }
    }
    sum.store(y);
  }
}

extern "C" __global__ void multiply(const float* __restrict__ values, const int* __restrict__ columns, const float* __restrict__ b,
                                    float* __restrict__ y, long long R, long long K, long long D) {
  const long long row = row_of_warp();
  if (row >= R) return;
  if (D % 4 == 0) add_rows<float4>(values + row * K, columns + row * K, b, y + row * D, K, D);
  else add_rows<float>(values + row * K, columns + row * K, b, y + row * D, K, D);
}
