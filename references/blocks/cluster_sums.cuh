// SPDX-License-Identifier: Apache-2.0
// Sums of what the threads of a cluster of eight blocks have, in grids [8 * clusters]. The file that includes this says kThreads and
// kNumbers, as for rows.cuh.
#pragma once

#include "blocks/sums.cuh"

constexpr int kBlocks = 8;

__device__ int rank_in_cluster() { return blockIdx.x % kBlocks; }

// Also makes visible what the blocks have in shared memory.
__device__ void sync_cluster() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

// Of all blocks of the cluster, for all of them, each of which gives its own. No two calls have the same `shared`, and each block calls
// sync_cluster() before it ends: others may still read there.
__device__ Sums sums_of_cluster(Sums own, Sums* shared) {
  if (threadIdx.x == 0) *shared = own;
  sync_cluster();
  Sums all = {0, 0};
  const unsigned here = (unsigned)__cvta_generic_to_shared(shared);
#pragma unroll
  for (int block = 0; block < kBlocks; ++block) {
    unsigned there;
    Sums other;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(block));
    asm volatile("ld.shared::cluster.v2.f32 {%0, %1}, [%2];" : "=f"(other.first), "=f"(other.second) : "r"(there) : "memory");
    all = add(all, other);
  }
  return all;
}

// Deviations are those from the mean, so that neither a large offset nor a constant cancels.
struct Normal {
  float mean, off, rstd;  // `off` is what the mean was rounded by

  __device__ float of(float x) const { return ((x - mean) - off) * rstd; }
};

// From the sums of what numbers are above their mean, and of the squares of that.
__device__ Normal normal_from(float mean, Sums rest, float count) {
  const float off = rest.first / count, variance = rest.second / count - off * off;
  return {mean, off, 1 / sqrtf((variance < 0 ? 0 : variance) + 1e-5f)};
}
