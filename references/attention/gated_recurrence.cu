// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch steps: float[2 * B * div_up(T, 32) * D]
   kernel summarise grid [div_up(D, 64), div_up(T, 32), B] block [64] (x, g, steps, T, D)
   kernel join      grid [div_up(B * D, 64)] block [64] (steps, state, final_state, long(div_up(T, 32)), D, long(B * D))
   kernel advance   grid [div_up(D, 64), div_up(T, 32), B] block [64] (x, g, steps, h, T, D)
*/
// Runs of 32 steps are worked on side by side: a run is one factor and one sum to the state before it. States before the runs follow from
// those one after the other, and then each run goes through its steps.
#include <stdint.h>

constexpr int kRun = 32;

extern "C" __global__ void summarise(const float* __restrict__ x, const float* __restrict__ g, float2* __restrict__ steps, int64_t T,
                                     int64_t D) {
  const int64_t d = blockIdx.x * 64ll + threadIdx.x, b = blockIdx.z, first = blockIdx.y * (int64_t)kRun, end = min(first + kRun, T);
  if (d >= D) return;
  float factor = 1, sum = 0;
#pragma unroll 8
  for (int64_t t = first; t < end; ++t) {
    const int64_t at = (b * T + t) * D + d;
    factor *= g[at];
    sum = fmaf(sum, g[at], x[at]);
  }
  steps[(b * gridDim.y + blockIdx.y) * D + d] = make_float2(factor, sum);
}

// Each run's step gives way to the state before it.
extern "C" __global__ void join(float2* __restrict__ steps, const float* __restrict__ state, float* __restrict__ final_state, int64_t runs,
                                int64_t D, int64_t channels) {
  const int64_t channel = blockIdx.x * 64ll + threadIdx.x;
  if (channel >= channels) return;
  float s = state[channel];
  float2* at = steps + channel / D * runs * D + channel % D;
#pragma unroll 4
  for (int64_t r = 0; r < runs; ++r) {
    const float2 step = at[r * D];
    at[r * D].x = s;
    s = fmaf(s, step.x, step.y);
  }
  final_state[channel] = s;
}

extern "C" __global__ void advance(const float* __restrict__ x, const float* __restrict__ g, const float2* __restrict__ steps,
                                   float* __restrict__ h, int64_t T, int64_t D) {
  const int64_t d = blockIdx.x * 64ll + threadIdx.x, b = blockIdx.z, first = blockIdx.y * (int64_t)kRun, end = min(first + kRun, T);
  if (d >= D) return;
  float s = steps[(b * gridDim.y + blockIdx.y) * D + d].x;
#pragma unroll 8
  for (int64_t t = first; t < end; ++t) {
    const int64_t at = (b * T + t) * D + d;
    s = fmaf(s, g[at], x[at]);
    h[at] = s;
  }
}
