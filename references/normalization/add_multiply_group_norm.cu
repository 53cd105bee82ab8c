// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N * G] block [512] (x, z, scale, bias, y, int(G), int(C), long(H * W))
*/
// A block has a group of a sample, whose products stay in registers as far as there are enough of them. Deviations are those from the mean,
// so that neither a large offset nor a constant group cancels.
constexpr int kThreads = 512, kNumbers = 64;
#include "blocks/rows.cuh"

// (x + z) z
__device__ float product(float x, float z) { return (x + z) * z; }
__device__ float4 product(float4 x, float4 z) {
  return make_float4(product(x.x, z.x), product(x.y, z.y), product(x.z, z.z), product(x.w, z.w));
}

// A thread's units of a row, of one or four products. It holds the first 64 of them in registers.
template <class Unit>
struct Products {
  static constexpr int kEach = sizeof(Unit) / sizeof(float), kHeld = 64 / kEach;
  const Unit *left, *right;
  long long units;
  Unit held[kHeld];

  __device__ Products(const float* x, const float* z, long long length)
      : left(reinterpret_cast<const Unit*>(x)), right(reinterpret_cast<const Unit*>(z)), units(length / kEach) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      const long long u = threadIdx.x + i * kThreads;
      if (u < units) held[i] = product(left[u], right[u]);
    }
  }
  // Calls f with the place and value of each unit.
  template <class F>
  __device__ void each(F f) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) f(threadIdx.x + i * kThreads, held[i]);
    for (long long u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) f(u, product(left[u], right[u]));
  }
};

// Units lie within a channel: planes of a multiple of four numbers come in fours.
template <class Unit>
__device__ void normalise_group(const float* __restrict__ x, const float* __restrict__ z, const float* __restrict__ scale,
                                const float* __restrict__ bias, float* __restrict__ y, int channels, long long plane) {
  const long long length = channels * plane;
  const unsigned units_of_plane = plane / Products<Unit>::kEach;
  const Products<Unit> row(x, z, length);
  const Moments moments = moments_of<Unit>(row, length);
  const float factor = 1 / sqrtf(moments.variance + 1e-5f);
  row.each([&](long long u, Unit v) {
    const int channel = (u >> 32) == 0 ? (int)((unsigned)u / units_of_plane) : (int)(u / units_of_plane);
    const float s = factor * scale[channel], b = bias[channel];
    reinterpret_cast<Unit*>(y)[u] = map(v, [&](float number) { return moments.deviation(number) * s + b; });
  });
}

extern "C" __global__ void __launch_bounds__(kThreads)
    normalise(const float* __restrict__ x, const float* __restrict__ z, const float* __restrict__ scale, const float* __restrict__ bias,
              float* __restrict__ y, int groups, int channels, long long plane) {
  const int first = blockIdx.x % groups * channels;
  x += blockIdx.x * (channels * plane);
  z += blockIdx.x * (channels * plane);
  y += blockIdx.x * (channels * plane);
  scale += first;
  bias += first;
  if (plane % 4 == 0) normalise_group<float4>(x, z, scale, bias, y, channels, plane);
  else normalise_group<float>(x, z, scale, bias, y, channels, plane);
}
