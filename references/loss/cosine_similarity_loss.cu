// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch loss: float[N]
   kernel row_losses grid [N] block [256]  (x, t, loss, C)
   kernel average    grid [1] block [1024] (loss, y, N)
*/
// A block has a row, which it reads once for the three sums.
constexpr int kThreads = 256, kWarps = kThreads / 32;

struct Sums {
  float dot, left, right;
};

__device__ Sums add(Sums a, Sums b) { return {a.dot + b.dot, a.left + b.left, a.right + b.right}; }
__device__ void take(Sums& sums, float x, float t) {
  sums.dot += x * t;
  sums.left += x * x;
  sums.right += t * t;
}

__device__ float shuffled(float value, int width) { return __shfl_xor_sync(0xffffffff, value, width); }

extern "C" __global__ void row_losses(const float* __restrict__ x, const float* __restrict__ t, float* __restrict__ loss, long long C) {
  __shared__ Sums warps[kWarps];
  x += blockIdx.x * C;
  t += blockIdx.x * C;
  Sums sums = {0, 0, 0};
  if (C % 4 == 0) {
#pragma unroll 2
    for (long long i = threadIdx.x; i < C / 4; i += kThreads) {
      const float4 v = reinterpret_cast<const float4*>(x)[i], w = reinterpret_cast<const float4*>(t)[i];
      take(sums, v.x, w.x);
      take(sums, v.y, w.y);
      take(sums, v.z, w.z);
      take(sums, v.w, w.w);
    }
  } else {
    for (long long c = threadIdx.x; c < C; c += kThreads) take(sums, x[c], t[c]);
  }
  for (int width = 16; width > 0; width /= 2)
    sums = add(sums, {shuffled(sums.dot, width), shuffled(sums.left, width), shuffled(sums.right, width)});
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sums;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < kWarps; ++warp) sums = add(sums, warps[warp]);
  loss[blockIdx.x] = 1 - sums.dot / (sqrtf(sums.left) * sqrtf(sums.right));
}

extern "C" __global__ void average(const float* __restrict__ loss, float* __restrict__ y, long long N) {
  __shared__ float warps[32];
  float sum = 0;
  for (long long n = threadIdx.x; n < N; n += 1024) sum += loss[n];
  for (int width = 16; width > 0; width /= 2) sum += shuffled(sum, width);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = warps[threadIdx.x];
  for (int width = 16; width > 0; width /= 2) sum += shuffled(sum, width);
  if (threadIdx.x == 0) *y = sum / N;
}
