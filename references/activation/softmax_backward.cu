// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel backward grid [N] block [256] (y, dy, dx, C)
*/
// A block has a row, of which its threads hold up to 4,096 pairs in registers.
constexpr int kThreads = 256, kNumbers = 16;
#include "blocks/row_pairs.cuh"

template <class Unit>
__device__ void backward_of_row(const float* __restrict__ y, const float* __restrict__ dy, float* __restrict__ dx, long long C) {
  const Pairs<Unit> row(y, dy, C);
  float share = 0;
  row.each([&](long long, Unit p, Unit g) { each_pair(p, g, [&](float p, float g) { share += p * g; }); });
  const float common = sum_of_block(share);
  row.each([&](long long u, Unit p, Unit g) {
    reinterpret_cast<Unit*>(dx)[u] = map(p, g, [&](float p, float g) { return p * (g - common); });
  });
}

extern "C" __global__ void __launch_bounds__(kThreads)
    backward(const float* __restrict__ y, const float* __restrict__ dy, float* __restrict__ dx, long long C) {
  y += blockIdx.x * C;
  dy += blockIdx.x * C;
  dx += blockIdx.x * C;
  if (C % 4 == 0) backward_of_row<float4>(y, dy, dx, C);
  else backward_of_row<float>(y, dy, dx, C);
}
