// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch ends: float[B * D * min(128, max(1, min(T / 32, 32768 / (B * D))))]
   kernel travel grid [div_up(B * D, 64), min(128, max(1, min(T / 32, 32768 / (B * D))))] block [64] (x, factor, ends, T, D, long(B * D))
   kernel advance grid [div_up(B * D, 64), min(128, max(1, min(T / 32, 32768 / (B * D))))] block [64] (state, x, factor, ends, y, T, D, long(B * D))
*/
// A thread has a channel; where channels are few, it has a piece of its steps. What each piece adds is found first, from 0: a piece then begins
// with what those before it leave. What is read next does not wait for the states: sixteen steps are fetched at once.
#include <stdint.h>

constexpr int kAhead = 16;

template <class Use>
__device__ void each_step(const float* __restrict__ x, int64_t begin, int64_t end, int64_t channels, int64_t channel, Use use) {
  float ahead[kAhead];
  for (int64_t t = begin; t < end; t += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i) ahead[i] = t + i < end ? x[(t + i) * channels + channel] : 0;
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      if (t + i < end) use(t + i, ahead[i]);
  }
}

__device__ float power(float base, int64_t exponent) {
  float result = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 != 0) result *= base;
  return result;
}

// Of the last piece nobody asks.
extern "C" __global__ void travel(const float* __restrict__ x, const float* __restrict__ factor, float* __restrict__ ends, int64_t T, int64_t D,
                                  int64_t channels) {
  const int64_t channel = blockIdx.x * 64ll + threadIdx.x, length = (T + gridDim.y - 1) / gridDim.y, begin = blockIdx.y * length;
  if (channel >= channels || blockIdx.y + 1 == gridDim.y) return;
  const float rate = factor[channel % D];
  float s = 0;
  each_step(x, begin, min(begin + length, T), channels, channel, [&](int64_t, float value) { s = fmaf(s, rate, value); });
  ends[blockIdx.y * channels + channel] = s;
}

extern "C" __global__ void advance(const float* __restrict__ state, const float* __restrict__ x, const float* __restrict__ factor,
                                   const float* __restrict__ ends, float* __restrict__ y, int64_t T, int64_t D, int64_t channels) {
  const int64_t channel = blockIdx.x * 64ll + threadIdx.x, length = (T + gridDim.y - 1) / gridDim.y, begin = blockIdx.y * length;
  if (channel >= channels) return;
  const float rate = factor[channel % D];
  float s = state[channel];
  if (blockIdx.y > 0) {
    // An infinity stays one, even where the factor's power is too small for a float.
    const float over_piece = power(rate, length), sign = rate < 0 && length % 2 != 0 ? -1 : 1;
#pragma unroll 8
    for (unsigned p = 0; p < blockIdx.y; ++p) s = fmaf(s, isinf(s) && rate != 0 ? sign : over_piece, ends[p * channels + channel]);
  }
  each_step(x, begin, min(begin + length, T), channels, channel, [&](int64_t t, float value) {
    s = fmaf(s, rate, value);
    y[t * channels + channel] = s;
  });
}
