// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel advance grid [div_up(B * D, 64)] block [64] (state, x, factor, y, T, D, long(B * D))
*/
// A thread has a channel. What is read next does not wait for the states: sixteen steps are fetched at once.
#include <stdint.h>

constexpr int kAhead = 16;

extern "C" __global__ void advance(const float* __restrict__ state, const float* __restrict__ x, const float* __restrict__ factor,
                                   float* __restrict__ y, int64_t T, int64_t D, int64_t channels) {
  const int64_t channel = blockIdx.x * 64ll + threadIdx.x;
  if (channel >= channels) return;
  const float rate = factor[channel % D];
  float s = state[channel], ahead[kAhead];
  for (int64_t t = 0; t < T; t += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i) ahead[i] = t + i < T ? x[(t + i) * channels + channel] : 0;
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      s = fmaf(s, rate, ahead[i]);
      if (t + i < T) y[(t + i) * channels + channel] = s;
    }
  }
}
