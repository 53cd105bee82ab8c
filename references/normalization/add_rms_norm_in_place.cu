// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N] block [256] (x, residual, weight, D)
*/
// A block has a row, whose sums stay in registers as far as there are enough of them, and are read again where there are not.
constexpr int kThreads = 256, kNumbers = 16;
#include "blocks/rows.cuh"

template <class F>
__device__ float map(float v, float w, F f) {
  return f(v, w);
}
template <class F>
__device__ float4 map(float4 v, float4 w, F f) {
  return make_float4(f(v.x, w.x), f(v.y, w.y), f(v.z, w.z), f(v.w, w.w));
}

constexpr int kHeld = 16;  // numbers of a thread in registers

template <class Unit>
__device__ void normalise_row(float* __restrict__ x, float* __restrict__ residual, const float* __restrict__ weight, long long D) {
  constexpr int kUnits = kHeld * sizeof(float) / sizeof(Unit);
  Unit* out = reinterpret_cast<Unit*>(x);
  Unit* sums = reinterpret_cast<Unit*>(residual);
  const Unit* factors = reinterpret_cast<const Unit*>(weight);
  const long long units = D * sizeof(float) / sizeof(Unit);
  const auto add = [](float a, float b) { return a + b; };
  float squares = 0;
  const auto take = [&](Unit v) { each_number(v, [&](float number) { squares += number * number; }); };
  Unit held[kUnits];
#pragma unroll
  for (int i = 0; i < kUnits; ++i) {
    const long long u = threadIdx.x + i * kThreads;
    if (u >= units) break;
    held[i] = sums[u] = map(out[u], sums[u], add);
    take(held[i]);
  }
  for (long long u = threadIdx.x + kUnits * kThreads; u < units; u += kThreads) {
    const Unit sum = map(out[u], sums[u], add);
    sums[u] = sum;
    take(sum);
  }
  const float root = sqrtf(sum_of_block(squares) / D + 1e-6f);
  const auto scale = [&](float number, float factor) { return number / root * factor; };
#pragma unroll
  for (int i = 0; i < kUnits; ++i) {
    const long long u = threadIdx.x + i * kThreads;
    if (u < units) out[u] = map(held[i], factors[u], scale);
  }
  for (long long u = threadIdx.x + kUnits * kThreads; u < units; u += kThreads) out[u] = map(sums[u], factors[u], scale);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    normalise(float* __restrict__ x, float* __restrict__ residual, const float* __restrict__ weight, long long D) {
  x += blockIdx.x * D;
  residual += blockIdx.x * D;
  if (D % 4 == 0) normalise_row<float4>(x, residual, weight, D);
  else normalise_row<float>(x, residual, weight, D);
}
