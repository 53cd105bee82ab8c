// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel dot grid [N] block [256] (a, b, y, C)
*/
// A block has a pair of rows, which it reads eight numbers at a time where rows are a multiple of that. Products of two bfloat16 are exact
// in float.
#include "kernel.h"

constexpr int kThreads = 256, kWarps = kThreads / 32;

// A bfloat16 is the upper half of a float.
__device__ float low(unsigned word) { return __uint_as_float(word << 16); }
__device__ float high(unsigned word) { return __uint_as_float(word & 0xffff0000); }

__device__ float sum_of_warp(float value) {
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(0xffffffff, value, width);
  return value;
}

extern "C" __global__ void dot(const bfloat16* __restrict__ a, const bfloat16* __restrict__ b, bfloat16* __restrict__ y, int64_t C) {
  __shared__ float warps[kWarps];
  a += blockIdx.x * C;
  b += blockIdx.x * C;
  float even = 0, odd = 0;
  if (C % 8 == 0) {
    const auto add = [&](unsigned v, unsigned w) {
      even = fmaf(low(v), low(w), even);
      odd = fmaf(high(v), high(w), odd);
    };
#pragma unroll 2
    for (int64_t i = threadIdx.x; i < C / 8; i += kThreads) {
      const uint4 v = reinterpret_cast<const uint4*>(a)[i], w = reinterpret_cast<const uint4*>(b)[i];
      add(v.x, w.x);
      add(v.y, w.y);
      add(v.z, w.z);
      add(v.w, w.w);
    }
  } else {
    for (int64_t c = threadIdx.x; c < C; c += kThreads) even = fmaf(__bfloat162float(a[c]), __bfloat162float(b[c]), even);
  }
  const float sum = sum_of_warp(even + odd);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  float total = 0;
  for (int warp = 0; warp < kWarps; ++warp) total += warps[warp];
  y[blockIdx.x] = __float2bfloat16_rn(total);
}
