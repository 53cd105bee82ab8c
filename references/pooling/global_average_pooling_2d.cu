// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel average grid [N * C] block [256] (x, y, long(H * W))
*/
// A block has a channel of a sample, four numbers at a time from the first one that is aligned to that.
constexpr int kThreads = 256, kWarps = kThreads / 32;

extern "C" __global__ void average(const float* __restrict__ x, float* __restrict__ y, long long plane) {
  __shared__ float warps[kWarps];
  const float* in = x + blockIdx.x * plane;
  const int head = (int)min((long long)((16 - (size_t)in % 16) % 16 / sizeof(float)), plane);
  const long long fours = (plane - head) / 4, rest = head + fours * 4 + threadIdx.x;
  float4 sum = make_float4(0, 0, 0, 0);
  if (threadIdx.x < head) sum.x = in[threadIdx.x];
  if (rest < plane) sum.y = in[rest];
#pragma unroll 4
  for (long long i = threadIdx.x; i < fours; i += kThreads) {
    const float4 v = reinterpret_cast<const float4*>(in + head)[i];
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
  }
  float all = (sum.x + sum.y) + (sum.z + sum.w);
  for (int width = 16; width > 0; width /= 2) all += __shfl_xor_sync(0xffffffff, all, width);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = all;
  __syncthreads();
  if (threadIdx.x > 0) return;
  float total = 0;
  for (int warp = 0; warp < kWarps; ++warp) total += warps[warp];
  y[blockIdx.x] = total / plane;
}
