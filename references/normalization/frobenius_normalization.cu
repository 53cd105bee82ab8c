// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: double[1024]
   kernel add_squares grid [1024] block [256] (x, part, long(N * C * H * W))
   kernel divide      grid [div_up(div_up(N * C * H * W, 4), 1024)] block [1024] (x, part, y, long(N * C * H * W))
*/
// Squares are added up by 1,024 blocks. Each block of the second kernel adds up what these have, which lies in a cache, and divides.
constexpr int kThreads = 256, kBlocks = 1024;

__device__ double sum_of_warp(double value) {
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(0xffffffff, value, width);
  return value;
}

extern "C" __global__ void add_squares(const float* __restrict__ x, double* __restrict__ part, long long count) {
  __shared__ double warps[kThreads / 32];
  const long long step = (long long)kBlocks * kThreads, fours = count / 4;
  const float4* in = reinterpret_cast<const float4*>(x);
  long long i = blockIdx.x * (long long)kThreads + threadIdx.x;
  float4 sum = make_float4(0, 0, 0, 0);
  if (i < count % 4) sum.x = x[fours * 4 + i] * x[fours * 4 + i];
#pragma unroll 4
  for (; i < fours; i += step) {
    const float4 v = in[i];
    sum = make_float4(fmaf(v.x, v.x, sum.x), fmaf(v.y, v.y, sum.y), fmaf(v.z, v.z, sum.z), fmaf(v.w, v.w, sum.w));
  }
  const double all = sum_of_warp(((double)sum.x + sum.y) + ((double)sum.z + sum.w));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = all;
  __syncthreads();
  if (threadIdx.x > 0) return;
  double total = 0;
  for (int warp = 0; warp < kThreads / 32; ++warp) total += warps[warp];
  part[blockIdx.x] = total;
}

extern "C" __global__ void divide(const float* __restrict__ x, const double* __restrict__ part, float* __restrict__ y, long long count) {
  __shared__ double warps[kBlocks / 32];
  const double sum = sum_of_warp(part[threadIdx.x]);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  const float norm = (float)sqrt(sum_of_warp(warps[threadIdx.x % 32]));
  const long long i = (blockIdx.x * (long long)kBlocks + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(v.x / norm, v.y / norm, v.z / norm, v.w / norm);
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = x[k] / norm;
}
