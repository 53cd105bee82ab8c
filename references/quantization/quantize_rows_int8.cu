// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel quantize grid [N] block [256] (x, q, largest, C)
*/
// A block has a row, of which a thread holds 32 numbers in registers; rows beyond 8,192 are read again from there on. A warp stores 128
// bytes at a time where rows are a multiple of four.
#include "kernel.h"

constexpr int kThreads = 256, kWarps = kThreads / 32;

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

__device__ float reduce(float v, float before) { return larger(fabsf(v), before); }
__device__ float reduce(float4 v, float before) { return reduce(v.x, reduce(v.y, reduce(v.z, reduce(v.w, before)))); }

__device__ int8_t code_of(float v, float largest) { return (int8_t)__float2int_rn(v / largest * 127); }
__device__ int8_t codes_of(float v, float largest) { return code_of(v, largest); }
__device__ char4 codes_of(float4 v, float largest) {
  return make_char4(code_of(v.x, largest), code_of(v.y, largest), code_of(v.z, largest), code_of(v.w, largest));
}

// Unit is one number or four, Bytes as many codes.
template <class Unit, class Bytes>
__device__ void quantize_row(const float* __restrict__ x, int8_t* __restrict__ q, float16* __restrict__ largest, int64_t C) {
  __shared__ float warps[kWarps];
  constexpr int kHeld = 32 * sizeof(float) / sizeof(Unit);
  const int64_t units = C * sizeof(float) / sizeof(Unit);
  const Unit* in = reinterpret_cast<const Unit*>(x);
  Bytes* out = reinterpret_cast<Bytes*>(q);
  Unit held[kHeld];
  float top = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (threadIdx.x + i * kThreads >= units) break;
    held[i] = in[threadIdx.x + i * kThreads];
    top = reduce(held[i], top);
  }
  for (int64_t u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) top = reduce(in[u], top);
  for (int width = 16; width > 0; width /= 2) top = larger(__shfl_xor_sync(0xffffffff, top, width), top);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = top;
  __syncthreads();
  top = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) top = larger(warps[warp], top);
  const float safe = larger(top, 9.5367431640625e-07f);
  if (threadIdx.x == 0) *largest = __float2half_rn(safe);
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (threadIdx.x + i * kThreads < units) out[threadIdx.x + i * kThreads] = codes_of(held[i], safe);
  for (int64_t u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) out[u] = codes_of(in[u], safe);
}

extern "C" __global__ void quantize(const float* __restrict__ x, int8_t* __restrict__ q, float16* __restrict__ largest, int64_t C) {
  x += blockIdx.x * C;
  q += blockIdx.x * C;
  largest += blockIdx.x;
  if (C % 4 == 0) quantize_row<float4, char4>(x, q, largest, C);
  else quantize_row<float, int8_t>(x, q, largest, C);
}
