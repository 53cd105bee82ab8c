// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: double[2048]
   kernel add_squares grid [1024]                        block [256] (param, m, v, part, N)
   kernel step        grid [div_up(div_up(N, 4), 1024)] block [256] (param, m, v, part, N)
*/
// Blocks add up squares of what lies a grid apart, in double. Each block of the second kernel adds up all that they have.
constexpr int kThreads = 256, kWarps = kThreads / 32, kBlocks = 1024, kShare = 1024;

struct Squares {
  double param, direction;
};

__device__ float direction_of(float m, float v) { return m / (sqrtf(v) + 1e-6f); }

__device__ Squares add(Squares a, Squares b) { return {a.param + b.param, a.direction + b.direction}; }

// Of all threads of the block, for all of them.
__device__ Squares of_block(Squares s) {
  __shared__ Squares warps[kWarps];
  for (int width = 16; width > 0; width /= 2)
    s = add(s, {__shfl_xor_sync(0xffffffff, s.param, width), __shfl_xor_sync(0xffffffff, s.direction, width)});
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = s;
  __syncthreads();
  s = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) s = add(s, warps[warp]);
  return s;
}

__device__ float4 load(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ float4 direction_of(float4 m, float4 v) {
  return make_float4(direction_of(m.x, v.x), direction_of(m.y, v.y), direction_of(m.z, v.z), direction_of(m.w, v.w));
}
__device__ double square(float v) { return (double)v * v; }
__device__ double squares(float4 v) { return (square(v.x) + square(v.y)) + (square(v.z) + square(v.w)); }

extern "C" __global__ void add_squares(const float* __restrict__ param, const float* __restrict__ m, const float* __restrict__ v,
                                       Squares* __restrict__ part, long long count) {
  const long long fours = count / 4;
  long long i = blockIdx.x * (long long)kThreads + threadIdx.x;
  Squares sum = {0, 0};
  if (i < count % 4) {
    const long long k = fours * 4 + i;
    sum = {square(param[k]), square(direction_of(m[k], v[k]))};
  }
#pragma unroll 2
  for (; i < fours; i += (long long)kBlocks * kThreads)
    sum = add(sum, {squares(load(param + i * 4)), squares(direction_of(load(m + i * 4), load(v + i * 4)))});
  sum = of_block(sum);
  if (threadIdx.x == 0) part[blockIdx.x] = sum;
}

extern "C" __global__ void step(float* __restrict__ param, const float* __restrict__ m, const float* __restrict__ v,
                                const Squares* __restrict__ part, long long count) {
  Squares sum = {0, 0};
  for (int b = threadIdx.x; b < kBlocks; b += kThreads) sum = add(sum, part[b]);
  sum = of_block(sum);
  const float rate = (float)(0.001 * (sqrt(sum.param) / (sqrt(sum.direction) + 1e-6)));
  for (int u = threadIdx.x; u < kShare; u += kThreads) {
    const long long i = (blockIdx.x * (long long)kShare + u) * 4;
    if (i + 4 <= count) {
      const float4 p = load(param + i), d = direction_of(load(m + i), load(v + i));
      *reinterpret_cast<float4*>(param + i) = make_float4(p.x - rate * d.x, p.y - rate * d.y, p.z - rate * d.z, p.w - rate * d.w);
      continue;
    }
    for (long long k = i; k < count; ++k) param[k] -= rate * direction_of(m[k], v[k]);
  }
}
