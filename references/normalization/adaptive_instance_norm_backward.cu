// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[2 * N * C]
   kernel of_planes   grid [N * C]          block [256] (dy, x, weight, mean, deviation, dx, part, C, long(H * W))
   kernel of_channels grid [div_up(C, 128)] block [128] (part, dweight, dbias, N, C)
*/
// A block has a plane, of which its threads hold up to 4,096 pairs in registers.
constexpr int kThreads = 256, kNumbers = 16;
#include "blocks/row_pairs.cuh"
#include "blocks/sums.cuh"

template <class Unit>
__device__ void backward_of_plane(const float* __restrict__ dy, const float* __restrict__ x, float weight, float mean, float deviation,
                                  float* __restrict__ dx, Sums* __restrict__ part, long long length) {
  const Pairs<Unit> plane(x, dy, length);
  const float inverse = 1 / deviation;
  Sums sums = {0, 0};
  plane.each([&](long long, Unit v, Unit w) {
    each_pair(v, w, [&](float x, float dy) { sums = add(sums, {dy * ((x - mean) * inverse), dy}); });
  });
  sums = sums_of_block(sums);
  if (threadIdx.x == 0) *part = sums;
  const float factor = weight * inverse, along = sums.first / length, middle = sums.second / length;
  plane.each([&](long long u, Unit v, Unit w) {
    reinterpret_cast<Unit*>(dx)[u] =
        map(v, w, [&](float x, float dy) { return factor * (dy - (middle + (x - mean) * inverse * along)); });
  });
}

extern "C" __global__ void __launch_bounds__(kThreads)
    of_planes(const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ weight, const float* __restrict__ mean,
              const float* __restrict__ deviation, float* __restrict__ dx, Sums* __restrict__ part, long long C, long long length) {
  const float w = weight[blockIdx.x % C], m = mean[blockIdx.x], d = deviation[blockIdx.x];
  dy += blockIdx.x * length;
  x += blockIdx.x * length;
  dx += blockIdx.x * length;
  if (length % 4 == 0) backward_of_plane<float4>(dy, x, w, m, d, dx, part + blockIdx.x, length);
  else backward_of_plane<float>(dy, x, w, m, d, dx, part + blockIdx.x, length);
}

extern "C" __global__ void of_channels(const Sums* __restrict__ part, float* __restrict__ dweight, float* __restrict__ dbias, long long N,
                                       long long C) {
  add_samples(part, dweight, dbias, N, C);
}
