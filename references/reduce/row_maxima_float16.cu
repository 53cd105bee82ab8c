// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel search grid [N] block [256] (x, y, C)
*/
// A block has a row, and reads eight numbers at a time where rows are a multiple of that. NaN is larger than any number.
#include "kernel.h"

constexpr int kThreads = 256, kWarps = kThreads / 32;

__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }
__device__ float largest(unsigned word) {
  const float2 v = __half22float2(*reinterpret_cast<const __half2*>(&word));
  return larger(v.x, v.y);
}

extern "C" __global__ void search(const float16* __restrict__ x, float16* __restrict__ y, int64_t C) {
  __shared__ float warps[kWarps];
  x += blockIdx.x * C;
  float top = __int_as_float(0xff800000);
  if (C % 8 == 0) {
#pragma unroll 4
    for (int64_t u = threadIdx.x; u < C / 8; u += kThreads) {
      const uint4 v = reinterpret_cast<const uint4*>(x)[u];
      top = larger(top, larger(larger(largest(v.x), largest(v.y)), larger(largest(v.z), largest(v.w))));
    }
  } else {
#pragma unroll 4
    for (int64_t c = threadIdx.x; c < C; c += kThreads) top = larger(top, __half2float(x[c]));
  }
  for (int width = 16; width > 0; width /= 2) top = larger(top, __shfl_xor_sync(0xffffffff, top, width));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = top;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < kWarps; ++warp) top = larger(top, warps[warp]);
  y[blockIdx.x] = __float2half_rn(top);
}
