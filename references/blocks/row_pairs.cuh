// SPDX-License-Identifier: Apache-2.0
// Two rows of numbers, taken in pairs that have the same place, each two rows of a block. The file that includes this says kThreads and
// kNumbers, as for rows.cuh; a thread holds that many pairs.
#pragma once

#include "blocks/rows.cuh"

template <class F>
__device__ void each_pair(float v, float w, F f) {
  f(v, w);
}
template <class F>
__device__ void each_pair(float4 v, float4 w, F f) {
  f(v.x, w.x);
  f(v.y, w.y);
  f(v.z, w.z);
  f(v.w, w.w);
}

template <class F>
__device__ float map(float v, float w, F f) {
  return f(v, w);
}
template <class F>
__device__ float4 map(float4 v, float4 w, F f) {
  return make_float4(f(v.x, w.x), f(v.y, w.y), f(v.z, w.z), f(v.w, w.w));
}
template <class F>
__device__ float map(float v, float w, float z, F f) {
  return f(v, w, z);
}
template <class F>
__device__ float4 map(float4 v, float4 w, float4 z, F f) {
  return make_float4(f(v.x, w.x, z.x), f(v.y, w.y, z.y), f(v.z, w.z, z.z), f(v.w, w.w, z.w));
}

// A thread's units of two rows, of one or four pairs.
template <class Unit>
struct Pairs {
  static constexpr int kEach = sizeof(Unit) / sizeof(float), kHeld = kNumbers / kEach;
  const Unit *left, *right;
  long long units;
  Unit v[kHeld], w[kHeld];

  __device__ Pairs(const float* left_row, const float* right_row, long long length)
      : left(reinterpret_cast<const Unit*>(left_row)), right(reinterpret_cast<const Unit*>(right_row)), units(length / kEach) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) {
        v[i] = left[threadIdx.x + i * kThreads];
        w[i] = right[threadIdx.x + i * kThreads];
      }
  }
  // Calls f with the place and both values of each unit.
  template <class F>
  __device__ void each(F f) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) f(threadIdx.x + i * kThreads, v[i], w[i]);
    for (long long u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) f(u, left[u], right[u]);
  }
};
