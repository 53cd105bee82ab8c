// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N] block [256] (x, weight, bias, y, mean, rstd, C)
*/
// A block has a row, whose numbers stay in registers as far as there are enough of them. Deviations are those from the mean, so that
// neither a large offset nor a constant row cancels.
constexpr int kThreads = 256, kNumbers = 16;
#include "blocks/rows.cuh"

template <class F>
__device__ float map(float v, float w, float z, F f) {
  return f(v, w, z);
}
template <class F>
__device__ float4 map(float4 v, float4 w, float4 z, F f) {
  return make_float4(f(v.x, w.x, z.x), f(v.y, w.y, z.y), f(v.z, w.z, z.z), f(v.w, w.w, z.w));
}

template <class Unit>
__device__ void normalise_row(const float* __restrict__ x, const float* __restrict__ weight, const float* __restrict__ bias,
                              float* __restrict__ y, float* __restrict__ mean_of_row, float* __restrict__ rstd, long long length) {
  const Row<Unit> row(x, length);
  const Moments moments = moments_of<Unit>(row, length);
  const float factor = 1 / sqrtf(moments.variance + 1e-5f);
  if (threadIdx.x == 0) {
    *mean_of_row = isinf(moments.mean) ? moments.mean : moments.mean + moments.off;
    *rstd = factor;
  }
  row.each([&](long long u, Unit v) {
    const Unit s = reinterpret_cast<const Unit*>(weight)[u], b = reinterpret_cast<const Unit*>(bias)[u];
    reinterpret_cast<Unit*>(y)[u] = map(v, s, b, [&](float number, float s, float b) { return moments.deviation(number) * factor * s + b; });
  });
}

extern "C" __global__ void __launch_bounds__(kThreads)
    normalise(const float* __restrict__ x, const float* __restrict__ weight, const float* __restrict__ bias, float* __restrict__ y,
              float* __restrict__ mean, float* __restrict__ rstd, long long C) {
  x += blockIdx.x * C;
  y += blockIdx.x * C;
  mean += blockIdx.x;
  rstd += blockIdx.x;
  if (C % 4 == 0) normalise_row<float4>(x, weight, bias, y, mean, rstd, C);
  else normalise_row<float>(x, weight, bias, y, mean, rstd, C);
}
