// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel average grid [N] block [256] (a, b, y, C)
*/
// A block has a row of both matrices. Threads add up fours, each in four sums of its own.
constexpr int kThreads = 256, kWarps = kThreads / 32;

extern "C" __global__ void average(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, long long C) {
  __shared__ float warps[kWarps];
  a += blockIdx.x * C;
  b += blockIdx.x * C;
  float4 sums = make_float4(0, 0, 0, 0);
  if (C % 4 == 0) {
#pragma unroll 4
    for (long long u = threadIdx.x; u < C / 4; u += kThreads) {
      const float4 v = reinterpret_cast<const float4*>(a)[u], w = reinterpret_cast<const float4*>(b)[u];
      sums = make_float4(sums.x + (v.x + w.x), sums.y + (v.y + w.y), sums.z + (v.z + w.z), sums.w + (v.w + w.w));
    }
  } else {
#pragma unroll 4
    for (long long c = threadIdx.x; c < C; c += kThreads) sums.x += a[c] + b[c];
  }
  float sum = (sums.x + sums.y) + (sums.z + sums.w);
  for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(0xffffffff, sum, width);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < kWarps; ++warp) sum += warps[warp];
  y[blockIdx.x] = sum / C;
}
