// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: double[2048]
   kernel add_moments grid [1024] block [256]  (x, part, long(N * C))
   kernel deviate     grid [1]    block [1024] (part, y, long(N * C))
*/
// Blocks gather both moments of what lies a grid apart, in double and relative to the first element, so that neither a large offset nor a
// constant input cancels.
constexpr int kThreads = 256, kBlocks = 1024;

struct Moments {
  double sum, squares;
};

__device__ void take(Moments& m, double d) {
  m.sum += d;
  m.squares += d * d;
}
__device__ Moments add(Moments a, Moments b) { return {a.sum + b.sum, a.squares + b.squares}; }
__device__ Moments of_warp(Moments m) {
  for (int width = 16; width > 0; width /= 2)
    m = add(m, {__shfl_xor_sync(0xffffffff, m.sum, width), __shfl_xor_sync(0xffffffff, m.squares, width)});
  return m;
}

extern "C" __global__ void add_moments(const float* __restrict__ x, Moments* __restrict__ part, long long count) {
  __shared__ Moments warps[kThreads / 32];
  const double first = x[0];
  const long long step = (long long)kBlocks * kThreads, fours = count / 4;
  long long i = blockIdx.x * (long long)kThreads + threadIdx.x;
  Moments m = {0, 0};
  if (i < count % 4) take(m, x[fours * 4 + i] - first);
#pragma unroll 4
  for (; i < fours; i += step) {
    const float4 v = reinterpret_cast<const float4*>(x)[i];
    take(m, v.x - first);
    take(m, v.y - first);
    take(m, v.z - first);
    take(m, v.w - first);
  }
  m = of_warp(m);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = m;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < kThreads / 32; ++warp) m = add(m, warps[warp]);
  part[blockIdx.x] = m;
}

extern "C" __global__ void deviate(const Moments* __restrict__ part, float* __restrict__ y, long long count) {
  __shared__ Moments warps[kBlocks / 32];
  Moments m = of_warp(part[threadIdx.x]);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = m;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  m = of_warp(warps[threadIdx.x]);
  const double rest = m.squares - m.sum * (m.sum / count);
  if (threadIdx.x == 0) *y = (float)sqrt((rest < 0 ? 0 : rest) / (count - 1));
}
