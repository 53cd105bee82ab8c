// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch tops: float[1024]
   kernel find_tops    grid [1024] block [256] (x, tops, long(N * C))
   kernel find_largest grid [1]    block [256] (tops, largest)
   kernel quantize     grid [div_up(N, 64), div_up(C, 64)] block [256] (x, largest, q, N, C)
*/
// The largest is looked for four numbers at a time. Then tiles of 64 x 64 pass through shared memory as codes: rows are read in one piece
// and columns are written so.
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

extern "C" __global__ void find_tops(const float* __restrict__ x, float* __restrict__ tops, int64_t count) {
  float top = 0;
  const int64_t thread = blockIdx.x * (int64_t)kThreads + threadIdx.x;
#pragma unroll 4
  for (int64_t u = thread; u < count / 4; u += gridDim.x * (int64_t)kThreads) {
    const float4 v = reinterpret_cast<const float4*>(x)[u];
    top = larger(larger(larger(fabsf(v.x), fabsf(v.y)), larger(fabsf(v.z), fabsf(v.w))), top);
  }
  if (thread < count % 4) top = larger(fabsf(x[count - 1 - thread]), top);
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

extern "C" __global__ void quantize(const float* __restrict__ x, const float* __restrict__ largest, int8_t* __restrict__ q, int64_t N,
                                    int64_t C) {
  alignas(4) __shared__ int8_t tile[64][68];  // [column][row]
  const int64_t n0 = blockIdx.x * 64ll, c0 = blockIdx.y * 64ll;
  const float top = *largest;
#pragma unroll 4
  for (int e = threadIdx.x; e < 64 * 64; e += kThreads)
    if (n0 + e / 64 < N && c0 + e % 64 < C) tile[e % 64][e / 64] = code_of(x[(n0 + e / 64) * C + c0 + e % 64], top);
  __syncthreads();
  if (N % 4 == 0) {
    for (int e = threadIdx.x; e < 64 * 16; e += kThreads) {
      const int column = e / 16, row = e % 16 * 4;
      if (c0 + column < C && n0 + row < N)
        *reinterpret_cast<char4*>(q + (c0 + column) * N + n0 + row) = *reinterpret_cast<const char4*>(&tile[column][row]);
    }
    return;
  }
  for (int e = threadIdx.x; e < 64 * 64; e += kThreads)
    if (c0 + e / 64 < C && n0 + e % 64 < N) q[(c0 + e / 64) * N + n0 + e % 64] = tile[e / 64][e % 64];
}
