// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel activate grid [N] block [256] (x, y, C)
*/
// A block has a row, of which its threads hold up to 4,096 numbers in registers. Deviations are those from the mean, so that neither a
// large offset nor a constant row cancels.
constexpr int kThreads = 256, kNumbers = 16;
#include "blocks/rows.cuh"

constexpr float kQuantile = 0.8416212335729143;  // a fifth of a normal distribution is above that many deviations

template <class Unit>
__device__ void activate_row(const float* __restrict__ x, float* __restrict__ y, long long C) {
  const Row<Unit> row(x, C);
  const Moments moments = moments_of<Unit>(row, C);
  const float above = kQuantile * sqrtf(moments.variance);
  row.each([&](long long u, Unit v) {
    reinterpret_cast<Unit*>(y)[u] = map(v, [&](float number) {
      const float rest = moments.deviation(number) - above;
      return rest < 0 ? 0 : rest;  // NaN stays
    });
  });
}

extern "C" __global__ void __launch_bounds__(kThreads) activate(const float* __restrict__ x, float* __restrict__ y, long long C) {
  x += blockIdx.x * C;
  y += blockIdx.x * C;
  if (C % 4 == 0) activate_row<float4>(x, y, C);
  else activate_row<float>(x, y, C);
}
