// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax grid [N] block [256] (x, y, C)
*/
// A block has a row, whose powers its threads hold in registers; those beyond 4,096 are worked out again. No exponential of a number
// between -30 and 30 overflows, nor does their sum: the row's largest need not be known.
constexpr int kThreads = 256, kNumbers = 16;
#include "blocks/rows.cuh"

__device__ float power_of(float x) { return expf(30 * tanhf(x * (1.0f / 30))); }

template <class Unit>
__device__ void softmax_row(const float* __restrict__ x, float* __restrict__ y, long long C) {
  Row<Unit> row(x, C);
  const long long rest = threadIdx.x + Row<Unit>::kHeld * kThreads;
  float own = 0;
  const auto add = [&](float power) { own += power; };
#pragma unroll
  for (int i = 0; i < Row<Unit>::kHeld; ++i)
    if (threadIdx.x + i * kThreads < row.units) {
      row.held[i] = map(row.held[i], power_of);
      each_number(row.held[i], add);
    }
  for (long long u = rest; u < row.units; u += kThreads) each_number(map(row.from[u], power_of), add);
  const float factor = 1 / sum_of_block(own);
  const auto scale = [&](float power) { return power * factor; };
#pragma unroll
  for (int i = 0; i < Row<Unit>::kHeld; ++i)
    if (threadIdx.x + i * kThreads < row.units) reinterpret_cast<Unit*>(y)[threadIdx.x + i * kThreads] = map(row.held[i], scale);
  for (long long u = rest; u < row.units; u += kThreads) reinterpret_cast<Unit*>(y)[u] = map(map(row.from[u], power_of), scale);
}

extern "C" __global__ void __launch_bounds__(kThreads) softmax(const float* __restrict__ x, float* __restrict__ y, long long C) {
  x += blockIdx.x * C;
  y += blockIdx.x * C;
  if (C % 4 == 0) softmax_row<float4>(x, y, C);
  else softmax_row<float>(x, y, C);
}
