// SPDX-License-Identifier: Apache-2.0
// A graph in CSR: eight lanes have a vertex, and fold over its edges. Grid [div_up(V, 32)] of 256 threads.
#pragma once

constexpr int kLanes = 8;

__device__ long long vertex_of_lanes() { return blockIdx.x * 32ll + threadIdx.x / kLanes; }

// What of[others[e]] is for the edges e of vertex v, joined by `join` to `value`, which may be joined more than once. A vertex beyond the
// last one has no edges. They are read once, and should not drive out of the caches what they lead to.
template <class T, class Join>
__device__ T fold_edges(const int* __restrict__ row_pointers, const int* __restrict__ others, const T* __restrict__ of, long long v,
                        long long V, T value, Join join) {
  if (v < V) {
    const long long end = row_pointers[v + 1];
#pragma unroll 4
    for (long long e = row_pointers[v] + threadIdx.x % kLanes; e < end; e += kLanes) value = join(value, of[__ldcs(others + e)]);
  }
  for (int width = kLanes / 2; width > 0; width /= 2) value = join(value, __shfl_xor_sync(0xffffffff, value, width));
  return value;
}
