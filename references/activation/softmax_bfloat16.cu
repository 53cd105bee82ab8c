// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax grid [N] block [256] (x, y, C)
*/
// A block has a row, of which a thread holds 32 numbers in registers, and then their powers; rows beyond 8,192 are read again from there on.
// All between the load and the store is float.
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

// Units are eight numbers, or one.
__device__ void unpack(uint4 v, float* into) {
  const unsigned words[] = {v.x, v.y, v.z, v.w};
  for (int i = 0; i < 4; ++i) {
    into[2 * i] = low(words[i]);
    into[2 * i + 1] = high(words[i]);
  }
}
__device__ void unpack(bfloat16 v, float* into) { *into = __bfloat162float(v); }

__device__ void pack(const float* from, uint4& into) {
  into = make_uint4(both(from[0], from[1]), both(from[2], from[3]), both(from[4], from[5]), both(from[6], from[7]));
}
__device__ void pack(const float* from, bfloat16& into) { into = __float2bfloat16_rn(*from); }

template <class Unit>
__device__ void softmax_row(const bfloat16* __restrict__ x, bfloat16* __restrict__ y, int64_t C) {
  constexpr int kEach = sizeof(Unit) / sizeof(bfloat16), kHeld = 32 / kEach;
  const int64_t units = C / kEach, rest = threadIdx.x + kHeld * kThreads;
  const Unit* in = reinterpret_cast<const Unit*>(x);
  Unit* out = reinterpret_cast<Unit*>(y);
  float held[kHeld][kEach], other[kEach], top = __int_as_float(0xff800000), sum = 0;
  const auto is_there = [&](int i) { return threadIdx.x + i * kThreads < units; };
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (is_there(i)) unpack(in[threadIdx.x + i * kThreads], held[i]);
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (is_there(i))
      for (const float v : held[i]) top = Larger()(top, v);
  for (int64_t u = rest; u < units; u += kThreads) {
    unpack(in[u], other);
    for (const float v : other) top = Larger()(top, v);
  }
  top = of_block(top, Larger());
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (is_there(i))
      for (float& v : held[i]) sum += v = expf(v - top);
  for (int64_t u = rest; u < units; u += kThreads) {
    unpack(in[u], other);
    for (const float v : other) sum += expf(v - top);
  }
  const float share = 1 / of_block(sum, Sum());
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (is_there(i)) {
      for (float& v : held[i]) v *= share;
      pack(held[i], out[threadIdx.x + i * kThreads]);
    }
  for (int64_t u = rest; u < units; u += kThreads) {
    unpack(in[u], other);
    for (float& v : other) v = expf(v - top) * share;
    pack(other, out[u]);
  }
}

extern "C" __global__ void __launch_bounds__(kThreads) softmax(const bfloat16* __restrict__ x, bfloat16* __restrict__ y, int64_t C) {
  x += blockIdx.x * C;
  y += blockIdx.x * C;
  if (C % 8 == 0) softmax_row<uint4>(x, y, C);
  else softmax_row<bfloat16>(x, y, C);
}
