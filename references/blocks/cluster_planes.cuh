// SPDX-License-Identifier: Apache-2.0
// Pairs of planes, of a tensor and its gradient, that a cluster of eight blocks has. Block b of it has the planes b, b + 8, ..., of which
// its threads hold the first kPlanes in registers, each kNumbers pairs of a plane. So memory is read once, whatever number of passes the
// sums take. The file that includes this says kThreads, kNumbers and kPlanes.
#pragma once

#include "blocks/cluster_sums.cuh"
#include "blocks/row_pairs.cuh"

// Planes of units of one or four pairs that lie `stride` numbers apart.
template <class Unit>
struct Planes {
  static constexpr int kEach = sizeof(Unit) / sizeof(float), kHeld = kNumbers / kEach;
  const Unit *left, *right;
  long long units, stride, planes;
  Unit v[kPlanes][kHeld], w[kPlanes][kHeld];

  __device__ Planes(const float* x, const float* dy, long long plane, long long distance, long long count)
      : left(reinterpret_cast<const Unit*>(x)), right(reinterpret_cast<const Unit*>(dy)), units(plane / kEach), stride(distance / kEach),
        planes(count) {
#pragma unroll
    for (int k = 0; k < kPlanes; ++k) {
      const long long p = rank_in_cluster() + k * kBlocks;
#pragma unroll
      for (int i = 0; i < kHeld; ++i)
        if (p < planes && threadIdx.x + i * kThreads < units) {
          v[k][i] = left[p * stride + threadIdx.x + i * kThreads];
          w[k][i] = right[p * stride + threadIdx.x + i * kThreads];
        }
    }
  }
  // Calls f with the place and both values of each unit of the block's k-th plane, which is held.
  template <class F>
  __device__ void each_of_held(int k, F f) const {
    const long long first = (rank_in_cluster() + k * kBlocks) * stride + threadIdx.x;
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) f(first + i * kThreads, v[k][i], w[k][i]);
    each_from(kHeld * kThreads, rank_in_cluster() + k * kBlocks, f);
  }
  // The same of plane p, from the unit `begin` on, out of memory.
  template <class F>
  __device__ void each_from(int begin, long long p, F f) const {
#pragma unroll 1
    for (long long u = begin + threadIdx.x; u < units; u += kThreads) f(p * stride + u, left[p * stride + u], right[p * stride + u]);
  }
  // Of all planes of this block.
  template <class F>
  __device__ void each(F f) const {
#pragma unroll
    for (int k = 0; k < kPlanes; ++k)
      if (rank_in_cluster() + k * kBlocks < planes) each_of_held(k, f);
#pragma unroll 1
    for (long long p = rank_in_cluster() + kPlanes * kBlocks; p < planes; p += kBlocks) each_from(0, p, f);
  }
};

// Of all planes of the cluster. `shared` is two elements. Also gives the sum of the right ones.
template <class Unit>
__device__ Normal normal_of(const Planes<Unit>& planes, float count, Sums* shared, float& sum_of_right) {
  Sums sums = {0, 0};
  planes.each([&](long long, Unit v, Unit w) { each_pair(v, w, [&](float x, float dy) { sums = add(sums, {x, dy}); }); });
  sums = sums_of_cluster(sums_of_block(sums), shared);
  sum_of_right = sums.second;
  const float mean = sums.first / count;
  Sums rest = {0, 0};
  planes.each([&](long long, Unit v, Unit) {
    each_number(v, [&](float x) {
      const float d = x - mean;
      rest = add(rest, {d, d * d});
    });
  });
  rest = sums_of_cluster(sums_of_block(rest), shared + 1);
  return normal_from(mean, rest, count);
}
