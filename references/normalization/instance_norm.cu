// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N * C] block [256] (x, y, long(H * W))
*/
// A block has a channel of a sample, whose numbers stay in registers as far as there are enough of them. Deviations are those from the
// mean, so that neither a large offset nor a constant channel cancels.
constexpr int kThreads = 256, kNumbers = 16;
#include "blocks/rows.cuh"

template <class Unit>
__device__ void normalise_row(const float* __restrict__ x, float* __restrict__ y, long long length) {
  const Row<Unit> row(x, length);
  const Moments moments = moments_of<Unit>(row, length);
  const float factor = 1 / sqrtf(moments.variance + 1e-5f);
  row.each(
      [&](long long u, Unit v) { reinterpret_cast<Unit*>(y)[u] = map(v, [&](float number) { return moments.deviation(number) * factor; }); });
}

extern "C" __global__ void __launch_bounds__(kThreads) normalise(const float* __restrict__ x, float* __restrict__ y, long long length) {
  x += blockIdx.x * length;
  y += blockIdx.x * length;
  if (length % 4 == 0) normalise_row<float4>(x, y, length);
  else normalise_row<float>(x, y, length);
}
