// SPDX-License-Identifier: Apache-2.0
// Sums of the numbers of a block's threads up to each of them.
#pragma once

template <class T>
__device__ T sum_up_to_lane(T value) {
  for (int distance = 1; distance < 32; distance *= 2) {
    const T left = __shfl_up_sync(0xffffffff, value, distance);
    if (threadIdx.x % 32 >= distance) value += left;
  }
  return value;
}

// With all threads of the block waiting twice, so that the next call may come at once. `all` becomes the sum of all.
template <int kOfWarps, class T>
__device__ T sum_up_to_thread(T value, T& all) {
  __shared__ T warps[kOfWarps];
  const int warp = threadIdx.x / 32;
  value = sum_up_to_lane(value);
  if (threadIdx.x % 32 == 31) warps[warp] = value;
  __syncthreads();
  all = 0;
  T lead = 0;
#pragma unroll
  for (int w = 0; w < kOfWarps; ++w) {
    if (w == warp) lead = all;
    all += warps[w];
  }
  __syncthreads();
  return value + lead;
}
