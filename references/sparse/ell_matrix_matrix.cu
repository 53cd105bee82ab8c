// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(R, 8), min(div_up(D, 128), 65535)] block [256] (values, columns, b, y, R, K, D)
*/
// A warp has a row of y. Four rows of b are on their way at a time; those of empty places are zeros.
constexpr int kUnits = 1;
#include "blocks/warp_rows.cuh"

constexpr int kAhead = 4;

template <class Unit>
__device__ void add_rows(const float* __restrict__ values, const int* __restrict__ columns, const float* __restrict__ b,
                         float* __restrict__ y, long long K, long long D) {
  for (long long d = Piece<Unit>::begin(); d < D; d += Piece<Unit>::step()) {
    Piece<Unit> sum(d, D);
    for (long long begin = 0; begin < K; begin += kAhead) {
      Unit v[kAhead];
      float factor[kAhead];
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        const int column = begin + i < K ? columns[begin + i] : -1;
        factor[i] = column >= 0 ? values[begin + i] : 0;
        v[i] = column >= 0 && sum.first < sum.units ? reinterpret_cast<const Unit*>(b + column * D)[sum.first] : Unit{};
      }
#pragma unroll
      for (int i = 0; i < kAhead; ++i) sum.sums[0] = scaled(factor[i], v[i], sum.sums[0]);
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
