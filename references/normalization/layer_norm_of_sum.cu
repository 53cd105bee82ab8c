// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N] block [256] (x, residual, weight, bias, y, mean, rstd, C)
*/
// A block has a row, whose sums stay in registers as far as there are enough of them. Deviations are those from the mean, so that neither a
// large offset nor a constant row cancels.
constexpr int kThreads = 256, kNumbers = 16;
#include "blocks/rows.cuh"

__device__ float add(float a, float b) { return a + b; }
__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

template <class F>
__device__ float map(float v, float w, float z, F f) {
  return f(v, w, z);
}
template <class F>
__device__ float4 map(float4 v, float4 w, float4 z, F f) {
  return make_float4(f(v.x, w.x, z.x), f(v.y, w.y, z.y), f(v.z, w.z, z.z), f(v.w, w.w, z.w));
}

// A thread's units of the sum of two rows, of one or four numbers, which it stores in the second of them. It holds the first 16 numbers in
// registers.
template <class Unit>
struct Sums {
  static constexpr int kEach = sizeof(Unit) / sizeof(float), kHeld = 16 / kEach;
  Unit* sums;
  long long units;
  Unit held[kHeld];

  __device__ Sums(const float* x, float* residual, long long length) : sums(reinterpret_cast<Unit*>(residual)), units(length / kEach) {
    const Unit* from = reinterpret_cast<const Unit*>(x);
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      const long long u = threadIdx.x + i * kThreads;
      if (u < units) sums[u] = held[i] = add(from[u], sums[u]);
    }
    for (long long u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) sums[u] = add(from[u], sums[u]);
  }
  // Calls f with the place and value of each unit.
  template <class F>
  __device__ void each(F f) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) f(threadIdx.x + i * kThreads, held[i]);
    for (long long u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) f(u, sums[u]);
  }
};

template <class Unit>
__device__ void normalise_row(const float* __restrict__ x, float* __restrict__ residual, const float* __restrict__ weight,
                              const float* __restrict__ bias, float* __restrict__ y, float* __restrict__ mean_of_row,
                              float* __restrict__ rstd, long long length) {
  const Sums<Unit> row(x, residual, length);
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
    normalise(const float* __restrict__ x, float* __restrict__ residual, const float* __restrict__ weight, const float* __restrict__ bias,
              float* __restrict__ y, float* __restrict__ mean, float* __restrict__ rstd, long long C) {
  x += blockIdx.x * C;
  residual += blockIdx.x * C;
  y += blockIdx.x * C;
  mean += blockIdx.x;
  rstd += blockIdx.x;
  if (C % 4 == 0) normalise_row<float4>(x, residual, weight, bias, y, mean, rstd, C);
  else normalise_row<float>(x, residual, weight, bias, y, mean, rstd, C);
}
