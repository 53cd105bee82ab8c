// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch tops: float[1024]
   kernel find_tops    grid [1024] block [256] (x, tops, N)
   kernel find_largest grid [1]    block [256] (tops, largest)
   kernel quantize     grid [div_up(N, 1024)] block [256] (x, largest, q, N)
*/
// A thread reads four numbers at a time, and the last ones by themselves.
#include <stdint.h>

constexpr int kThreads = 256, kWarps = kThreads / 32;

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

__device__ float of_block(float v) {
  __shared__ float warps[kWarps];
  for (int width = 16; width > 0; width /= 2) v = larger(__shfl_xor_sync(0xffffffff, v, width), v);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
  __syncthreads();
  v = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) v = larger(warps[warp], v);
  return v;
}

extern "C" __global__ void find_tops(const float* __restrict__ x, float* __restrict__ tops, int64_t N) {
  float top = 0;
  const int64_t thread = blockIdx.x * (int64_t)kThreads + threadIdx.x;
#pragma unroll 4
  for (int64_t u = thread; u < N / 4; u += gridDim.x * (int64_t)kThreads) {
    const float4 v = reinterpret_cast<const float4*>(x)[u];
    top = larger(larger(larger(fabsf(v.x), fabsf(v.y)), larger(fabsf(v.z), fabsf(v.w))), top);
  }
  if (thread < N % 4) top = larger(fabsf(x[N - 1 - thread]), top);
  top = of_block(top);
  if (threadIdx.x == 0) tops[blockIdx.x] = top;
}

extern "C" __global__ void find_largest(const float* __restrict__ tops, float* __restrict__ largest) {
  float top = 0;
  for (int i = threadIdx.x; i < 1024; i += kThreads) top = larger(tops[i], top);
  top = of_block(top);
  if (threadIdx.x == 0) *largest = larger(top, 5.421010862427522e-20f);
}

__device__ int8_t code_of(float v, float largest) { return (int8_t)__float2int_rn(v / largest * 127); }

extern "C" __global__ void quantize(const float* __restrict__ x, const float* __restrict__ largest, int8_t* __restrict__ q, int64_t N) {
  const int64_t i = (blockIdx.x * (int64_t)kThreads + threadIdx.x) * 4;
  const float top = *largest;
  if (i + 4 <= N) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<char4*>(q + i) = make_char4(code_of(v.x, top), code_of(v.y, top), code_of(v.z, top), code_of(v.w, top));
    return;
  }
  for (int64_t e = i; e < N; ++e) q[e] = code_of(x[e], top);
}
