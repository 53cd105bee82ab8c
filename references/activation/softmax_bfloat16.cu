// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax grid [N] block [256] (x, y, C)
*/
// A block has a row, of which a thread holds 32 numbers in registers; rows beyond 8,192 are read again from there on. All between the load
// and the store is float.
#include "kernel.h"

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffff;

// NaN is the larger of any two.
struct Larger {
  __device__ float operator()(float a, float b) const { return a > b || a != a ? a : b; }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// Of all threads of the block, for all of them.
template <class Join>
__device__ float of_block(float value, Join join) {
  __shared__ float of_warp[kWarps];
  for (int width = 16; width > 0; width /= 2) value = join(value, __shfl_xor_sync(kAll, value, width));
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < kWarps; ++warp) value = join(value, of_warp[warp]);
  return value;
}

// A bfloat16 is the upper half of a float.
__device__ float low(unsigned word) { return __uint_as_float(word << 16); }
__device__ float high(unsigned word) { return __uint_as_float(word & 0xffff0000); }

__device__ unsigned both(float low, float high) {
  const __nv_bfloat162 y = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&y);
}

// Units are eight numbers, or one. Calls f(before, number) for each.
template <class F>
__device__ float fold(uint4 v, float before, F f) {
  for (unsigned word : {v.x, v.y, v.z, v.w}) before = f(f(before, low(word)), high(word));
  return before;
}
template <class F>
__device__ float fold(bfloat16 v, float before, F f) {
  return f(before, __bfloat162float(v));
}

template <class F>
__device__ uint4 map(uint4 v, F f) {
  return make_uint4(both(f(low(v.x)), f(high(v.x))), both(f(low(v.y)), f(high(v.y))), both(f(low(v.z)), f(high(v.z))),
                    both(f(low(v.w)), f(high(v.w))));
}
template <class F>
__device__ bfloat16 map(bfloat16 v, F f) {
  return __float2bfloat16_rn(f(__bfloat162float(v)));
}

template <class Unit>
__device__ void softmax_row(const bfloat16* __restrict__ x, bfloat16* __restrict__ y, int64_t C) {
  constexpr int kHeld = 32 * sizeof(bfloat16) / sizeof(Unit);
  const int64_t units = C * sizeof(bfloat16) / sizeof(Unit);
  const Unit* in = reinterpret_cast<const Unit*>(x);
  Unit* out = reinterpret_cast<Unit*>(y);
  Unit held[kHeld];
  float top = __int_as_float(0xff800000), sum = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (threadIdx.x + i * kThreads >= units) break;
    held[i] = in[threadIdx.x + i * kThreads];
    top = fold(held[i], top, Larger());
  }
  for (int64_t u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) top = fold(in[u], top, Larger());
  top = of_block(top, Larger());
  const auto add_power = [&](float before, float v) { return before + expf(v - top); };
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (threadIdx.x + i * kThreads < units) sum = fold(held[i], sum, add_power);
  for (int64_t u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) sum = fold(in[u], sum, add_power);
  sum = of_block(sum, Sum());
  const auto share = [&](float v) { return expf(v - top) / sum; };
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (threadIdx.x + i * kThreads < units) out[threadIdx.x + i * kThreads] = map(held[i], share);
  for (int64_t u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) out[u] = map(in[u], share);
}

extern "C" __global__ void softmax(const bfloat16* __restrict__ x, bfloat16* __restrict__ y, int64_t C) {
  x += blockIdx.x * C;
  y += blockIdx.x * C;
  if (C % 8 == 0) softmax_row<uint4>(x, y, C);
  else softmax_row<bfloat16>(x, y, C);
}
