// SPDX-License-Identifier: Apache-2.0
// Tensors [N, C, L] normalised by the mean and variance of each channel, then activated: Activation::of(float). A block has a part of a channel
// of a sample, or where these are short 1,024 neighbouring numbers, whatever their channels.
#pragma once

#include <stdint.h>

#include "blocks/quotient.cuh"

constexpr int kThreads = 256, kNumbers = 4 * kThreads;

struct Channels {
  const float *__restrict__ mean, *__restrict__ variance, *__restrict__ scale, *__restrict__ bias;

  __device__ float factor(int64_t c) const { return scale[c] / sqrtf(variance[c] + 1e-5f); }
};

template <class Activation>
__device__ float normalised(float x, float centre, float factor, float shift) {
  return Activation::of((x - centre) * factor + shift);
}
template <class Activation>
__device__ float4 normalised(float4 x, float centre, float factor, float shift) {
  return make_float4(normalised<Activation>(x.x, centre, factor, shift), normalised<Activation>(x.y, centre, factor, shift),
                     normalised<Activation>(x.z, centre, factor, shift), normalised<Activation>(x.w, centre, factor, shift));
}

// Four numbers at a time where channels are a multiple of that.
template <class Activation, class Unit>
__device__ void normalise_channel(const float* __restrict__ x, float* __restrict__ y, float centre, float factor, float shift,
                                  int64_t units) {
  for (int64_t u = blockIdx.y * (int64_t)kThreads + threadIdx.x; u < units; u += gridDim.y * (int64_t)kThreads)
    reinterpret_cast<Unit*>(y)[u] = normalised<Activation>(reinterpret_cast<const Unit*>(x)[u], centre, factor, shift);
}

template <class Activation>
__device__ void normalise_numbers(const float* __restrict__ x, float* __restrict__ y, const Channels& channels, int64_t C, int64_t L,
                                  int64_t count) {
  for (int k = 0; k < kNumbers / kThreads; ++k) {
    const int64_t i = blockIdx.x * (int64_t)kNumbers + k * kThreads + threadIdx.x;
    if (i >= count) return;
    const int64_t row = quotient(i, L), c = row - quotient(row, C) * C;
    y[i] = normalised<Activation>(x[i], channels.mean[c], channels.factor(c), channels.bias[c]);
  }
}

// For a grid [N * C, parts] where L is at least 1,024, else [div_up(N * C * L, 1024)].
template <class Activation>
__device__ void normalise_all(const float* __restrict__ x, float* __restrict__ y, const Channels& channels, int64_t N, int64_t C, int64_t L) {
  if (L < kNumbers) return normalise_numbers<Activation>(x, y, channels, C, L, N * C * L);
  const int64_t c = blockIdx.x % C;
  const float factor = channels.factor(c), centre = channels.mean[c], shift = channels.bias[c];
  x += blockIdx.x * L;
  y += blockIdx.x * L;
  if (L % 4 == 0) normalise_channel<Activation, float4>(x, y, centre, factor, shift, L / 4);
  else normalise_channel<Activation, float>(x, y, centre, factor, shift, L);
}
