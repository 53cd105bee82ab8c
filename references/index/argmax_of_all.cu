// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch values: float[1024]
   scratch places: long[1024]
   kernel search grid [1024] block [256]  (x, values, places, long(M * N))
   kernel choose grid [1]    block [1024] (values, places, y)
*/
// Threads have fours that lie a grid apart. The best of two is the larger one, and the first one of equals; NaN is larger than any number.
#include <stdint.h>

constexpr int kThreads = 256, kBlocks = 1024;
constexpr unsigned kAll = 0xffffffff;

struct Best {
  float value;
  long long place;
};

__device__ Best best_of(Best a, Best b) {
  const bool a_is_none = a.value != a.value, b_is_none = b.value != b.value;
  bool first = a.value > b.value || (!(a.value < b.value) && a.place < b.place);
  if (a_is_none != b_is_none) first = a_is_none;
  return first ? a : b;
}

__device__ Best of_warp(Best best) {
  for (int width = 16; width > 0; width /= 2)
    best = best_of(best, {__shfl_xor_sync(kAll, best.value, width), __shfl_xor_sync(kAll, best.place, width)});
  return best;
}

extern "C" __global__ void search(const float* __restrict__ x, float* __restrict__ values, long long* __restrict__ places,
                                  long long count) {
  __shared__ Best warps[kThreads / 32];
  const long long fours = count / 4;
  long long i = blockIdx.x * (long long)kThreads + threadIdx.x;
  Best best = {__int_as_float(0xff800000), count};
  if (i < count % 4) best = {x[fours * 4 + i], fours * 4 + i};
#pragma unroll 4
  for (; i < fours; i += (long long)kBlocks * kThreads) {
    const float4 v = reinterpret_cast<const float4*>(x)[i];
    best = best_of(best, best_of(best_of({v.x, i * 4}, {v.y, i * 4 + 1}), best_of({v.z, i * 4 + 2}, {v.w, i * 4 + 3})));
  }
  best = of_warp(best);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < kThreads / 32; ++warp) best = best_of(best, warps[warp]);
  values[blockIdx.x] = best.value;
  places[blockIdx.x] = best.place;
}

extern "C" __global__ void choose(const float* __restrict__ values, const long long* __restrict__ places, int64_t* __restrict__ y) {
  __shared__ Best warps[kBlocks / 32];
  Best best = of_warp({values[threadIdx.x], places[threadIdx.x]});
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  best = of_warp(warps[threadIdx.x]);
  if (threadIdx.x == 0) *y = best.place;
}
