// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N] block [320] (x, residual, weight, y, C)
*/
// A block has a row, of which its threads hold up to 5,120 pairs in registers.
constexpr int kThreads = 320, kNumbers = 16;
#include "blocks/row_pairs.cuh"

template <class Unit>
__device__ void normalise_row(const float* __restrict__ x, const float* __restrict__ residual, const float* __restrict__ weight,
                              float* __restrict__ y, long long C) {
  const Pairs<Unit> row(x, residual, C);
  float squares = 0;
  row.each([&](long long, Unit v, Unit w) { each_pair(v, w, [&](float v, float w) { squares += (v + w) * (v + w); }); });
  const float factor = 1 / sqrtf(sum_of_block(squares) / C + 1e-6f);
  row.each([&](long long u, Unit v, Unit w) {
    const Unit weights = reinterpret_cast<const Unit*>(weight)[u];
    reinterpret_cast<Unit*>(y)[u] = map(v, w, weights, [&](float v, float w, float weight) { return (v + w) * factor * weight; });
  });
}

extern "C" __global__ void __launch_bounds__(kThreads)
    normalise(const float* __restrict__ x, const float* __restrict__ residual, const float* __restrict__ weight, float* __restrict__ y,
              long long C) {
  x += blockIdx.x * C;
  residual += blockIdx.x * C;
  y += blockIdx.x * C;
  if (C % 4 == 0) normalise_row<float4>(x, residual, weight, y, C);
  else normalise_row<float>(x, residual, weight, y, C);
}
