// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: double[1024]
   kernel add_pieces grid [1024] block [256]  (log_p, target, part, long(N * C))
   kernel average    grid [1]    block [1024] (part, y, N)
*/
// Which row a term belongs to does not matter: threads add up fours that lie a grid apart. Terms have both signs and nearly cancel, so that
// what is added up further than a thread is added in double.
constexpr int kThreads = 256, kBlocks = 1024;

__device__ float term(float log_p, float t) { return t * (logf(t < 1e-4f ? 1e-4f : t) - log_p); }

__device__ double sum_of_warp(double value) {
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(0xffffffff, value, width);
  return value;
}

extern "C" __global__ void add_pieces(const float* __restrict__ log_p, const float* __restrict__ target, double* __restrict__ part,
                                      long long count) {
  __shared__ double warps[kThreads / 32];
  const long long step = (long long)kBlocks * kThreads, fours = count / 4;
  const float4 *left = reinterpret_cast<const float4*>(log_p), *right = reinterpret_cast<const float4*>(target);
  long long i = blockIdx.x * (long long)kThreads + threadIdx.x;
  float4 sum = make_float4(0, 0, 0, 0);
  if (i < count % 4) sum.x = term(log_p[fours * 4 + i], target[fours * 4 + i]);
#pragma unroll 2
  for (; i < fours; i += step) {
    const float4 v = left[i], w = right[i];
    sum.x += term(v.x, w.x);
    sum.y += term(v.y, w.y);
    sum.z += term(v.z, w.z);
    sum.w += term(v.w, w.w);
  }
  const double all = sum_of_warp(((double)sum.x + sum.y) + ((double)sum.z + sum.w));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = all;
  __syncthreads();
  if (threadIdx.x > 0) return;
  double total = 0;
  for (int warp = 0; warp < kThreads / 32; ++warp) total += warps[warp];
  part[blockIdx.x] = total;
}

extern "C" __global__ void average(const double* __restrict__ part, float* __restrict__ y, long long rows) {
  __shared__ double warps[kBlocks / 32];
  double sum = sum_of_warp(part[threadIdx.x]);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = sum_of_warp(warps[threadIdx.x]);
  if (threadIdx.x == 0) *y = (float)(sum / rows);
}
