// SPDX-License-Identifier: Apache-2.0
// Rows of numbers, each of a block. The file that includes this says how many threads a block has, kThreads, and how many numbers of a row a
// thread holds in registers, kNumbers.
#pragma once

constexpr int kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffff;

// Of all threads of the block, for all of them.
__device__ float sum_of_block(float value) {
  __shared__ float warps[kWarps];
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(kAll, value, width);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) value += warps[warp];
  return value;
}

template <class F>
__device__ void each_number(float v, F f) {
  f(v);
}
template <class F>
__device__ void each_number(float4 v, F f) {
  f(v.x);
  f(v.y);
  f(v.z);
  f(v.w);
}

template <class F>
__device__ float map(float v, F f) {
  return f(v);
}
template <class F>
__device__ float4 map(float4 v, F f) {
  return make_float4(f(v.x), f(v.y), f(v.z), f(v.w));
}

// A thread's units of a row or a piece of one, of one or four numbers.
template <class Unit>
struct Row {
  static constexpr int kEach = sizeof(Unit) / sizeof(float), kHeld = kNumbers / kEach;
  const Unit* from;
  long long units;
  Unit held[kHeld];

  __device__ Row(const float* numbers, long long length) : from(reinterpret_cast<const Unit*>(numbers)), units(length / kEach) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) held[i] = from[threadIdx.x + i * kThreads];
  }
  // Calls f with the place and value of each unit.
  template <class F>
  __device__ void each(F f) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) f(threadIdx.x + i * kThreads, held[i]);
    for (long long u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) f(u, from[u]);
  }
};

// Mean and variance of a row's numbers. Deviations are those from the mean less what it was rounded by, so that neither a large offset nor a
// constant row cancels.
struct Moments {
  float mean, off, variance;
  __device__ float deviation(float number) const { return (number - mean) - off; }
};

// For all threads of the block.
template <class Unit, class AnyRow>
__device__ Moments moments_of(const AnyRow& row, long long length) {
  float sum = 0;
  row.each([&](long long, Unit v) { each_number(v, [&](float number) { sum += number; }); });
  const float mean = sum_of_block(sum) / length;
  float rest = 0, squares = 0;
  row.each([&](long long, Unit v) {
    each_number(v, [&](float number) {
      const float d = number - mean;
      rest += d;
      squares += d * d;
    });
  });
  const float off = sum_of_block(rest) / length, variance = sum_of_block(squares) / length - off * off;
  return {mean, off, variance < 0 ? 0 : variance};
}
