// SPDX-License-Identifier: Apache-2.0
// Two sums at a time. The file that includes this says how many threads a block has, kThreads, and kNumbers, as for rows.cuh.
#pragma once

#include "blocks/rows.cuh"

struct alignas(8) Sums {
  float first, second;
};

__device__ Sums add(Sums a, Sums b) { return {a.first + b.first, a.second + b.second}; }

// Of all threads of the block, for all of them.
__device__ Sums sums_of_block(Sums s) {
  __shared__ Sums warps[kWarps];
  for (int width = 16; width > 0; width /= 2)
    s = add(s, {__shfl_xor_sync(kAll, s.first, width), __shfl_xor_sync(kAll, s.second, width)});
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = s;
  __syncthreads();
  s = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) s = add(s, warps[warp]);
  return s;
}

// What the planes of all samples have, for each channel; a thread has one.
__device__ void add_samples(const Sums* __restrict__ part, float* __restrict__ first, float* __restrict__ second, long long samples,
                            long long channels) {
  const long long channel = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (channel >= channels) return;
  Sums sums = {0, 0};
#pragma unroll 8
  for (long long n = 0; n < samples; ++n) sums = add(sums, part[n * channels + channel]);
  first[channel] = sums.first;
  second[channel] = sums.second;
}
