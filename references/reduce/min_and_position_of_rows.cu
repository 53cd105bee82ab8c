// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel search grid [N] block [256] (x, y, position, C)
*/
// A block has a row. The best of two is the smaller one, and the first one of equals; NaN is smaller than any number.
#include <stdint.h>

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffff;

struct Best {
  float value;
  long long place;
};

__device__ Best best_of(Best a, Best b) {
  const bool a_is_none = a.value != a.value, b_is_none = b.value != b.value;
  bool first = a.value < b.value || (!(a.value > b.value) && a.place < b.place);
  if (a_is_none != b_is_none) first = a_is_none;
  return first ? a : b;
}

extern "C" __global__ void search(const float* __restrict__ x, float* __restrict__ y, int64_t* __restrict__ position, long long C) {
  __shared__ Best warps[kWarps];
  x += blockIdx.x * C;
  Best best = {__int_as_float(0x7f800000), C};
  if (C % 4 == 0) {
#pragma unroll 4
    for (long long u = threadIdx.x; u < C / 4; u += kThreads) {
      const float4 v = reinterpret_cast<const float4*>(x)[u];
      best = best_of(best, best_of(best_of({v.x, u * 4}, {v.y, u * 4 + 1}), best_of({v.z, u * 4 + 2}, {v.w, u * 4 + 3})));
    }
  } else {
#pragma unroll 4
    for (long long c = threadIdx.x; c < C; c += kThreads) best = best_of(best, {x[c], c});
  }
  for (int width = 16; width > 0; width /= 2)
    best = best_of(best, {__shfl_xor_sync(kAll, best.value, width), __shfl_xor_sync(kAll, best.place, width)});
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < kWarps; ++warp) best = best_of(best, warps[warp]);
  y[blockIdx.x] = best.value;
  position[blockIdx.x] = best.place;
}
