// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N * 8] block [512] (x, scale, bias, y, int(C / 8), long(H * W))
*/
// A block has a group of a sample, whose numbers stay in registers as far as there are enough of them. Deviations are those from the
// mean, so that neither a large offset nor a constant group cancels.
constexpr int kThreads = 512, kNumbers = 64;
#include "blocks/rows.cuh"

// Units lie within a channel: planes of a multiple of four numbers come in fours.
template <class Unit>
__device__ void normalise_group(const float* __restrict__ x, const float* __restrict__ scale, const float* __restrict__ bias,
                                float* __restrict__ y, int channels, long long plane) {
  const long long length = channels * plane;
  const unsigned units_of_plane = plane / Row<Unit>::kEach;
  const Row<Unit> row(x, length);
  const Moments moments = moments_of<Unit>(row, length);
  const float factor = 1 / sqrtf(moments.variance + 1e-5f);
  row.each([&](long long u, Unit v) {
    const int channel = (u >> 32) == 0 ? (int)((unsigned)u / units_of_plane) : (int)(u / units_of_plane);
    const float s = factor * scale[channel], b = bias[channel];
    reinterpret_cast<Unit*>(y)[u] = map(v, [&](float number) { return moments.deviation(number) * s + b; });
  });
}

extern "C" __global__ void __launch_bounds__(kThreads)
    normalise(const float* __restrict__ x, const float* __restrict__ scale, const float* __restrict__ bias, float* __restrict__ y,
              int channels, long long plane) {
  const int first = blockIdx.x % 8 * channels;
  x += blockIdx.x * (channels * plane);
  y += blockIdx.x * (channels * plane);
  scale += first;
  bias += first;
  if (plane % 4 == 0) normalise_group<float4>(x, scale, bias, y, channels, plane);
  else normalise_group<float>(x, scale, bias, y, channels, plane);
}
