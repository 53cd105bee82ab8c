// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N] block [512] (x, weight, y, C)
*/
// A block has a row, of which a thread holds 32 numbers in registers; rows beyond 16,384 are read again from there on. All between the load
// and the store is float.
#include "kernel.h"

constexpr int kThreads = 512, kWarps = kThreads / 32;

// Units are eight numbers, two in each word, or one.
__device__ float2 both(unsigned word) { return __half22float2(*reinterpret_cast<const __half2*>(&word)); }

__device__ float add_squares(unsigned word, float sum) {
  const float2 v = both(word);
  return fmaf(v.x, v.x, fmaf(v.y, v.y, sum));
}
__device__ float add_squares(uint4 v, float sum) { return add_squares(v.x, add_squares(v.y, add_squares(v.z, add_squares(v.w, sum)))); }
__device__ float add_squares(float16 v, float sum) { return fmaf(__half2float(v), __half2float(v), sum); }

__device__ unsigned scaled(unsigned v, unsigned weight, float root) {
  const float2 x = both(v), w = both(weight);
  const __half2 y = __floats2half2_rn(x.x / root * w.x, x.y / root * w.y);
  return *reinterpret_cast<const unsigned*>(&y);
}
__device__ uint4 scaled(uint4 v, uint4 weight, float root) {
  return make_uint4(scaled(v.x, weight.x, root), scaled(v.y, weight.y, root), scaled(v.z, weight.z, root), scaled(v.w, weight.w, root));
}
__device__ float16 scaled(float16 v, float16 weight, float root) { return __float2half_rn(__half2float(v) / root * __half2float(weight)); }

template <class Unit>
__device__ void normalise_row(const float16* __restrict__ x, const float16* __restrict__ weight, float16* __restrict__ y, int64_t C) {
  __shared__ float warps[kWarps];
  constexpr int kHeld = 32 * sizeof(float16) / sizeof(Unit);
  const int64_t units = C * sizeof(float16) / sizeof(Unit);
  const Unit *in = reinterpret_cast<const Unit*>(x), *weights = reinterpret_cast<const Unit*>(weight);
  Unit* out = reinterpret_cast<Unit*>(y);
  Unit held[kHeld];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (threadIdx.x + i * kThreads >= units) break;
    held[i] = in[threadIdx.x + i * kThreads];
    sum = add_squares(held[i], sum);
  }
  for (int64_t u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) sum = add_squares(in[u], sum);
  for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(0xffffffff, sum, width);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  float total = 0;
  for (int warp = 0; warp < kWarps; ++warp) total += warps[warp];
  const float root = sqrtf(total / C + 1e-6f);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int64_t u = threadIdx.x + i * kThreads;
    if (u < units) out[u] = scaled(held[i], weights[u], root);
  }
  for (int64_t u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) out[u] = scaled(in[u], weights[u], root);
}

extern "C" __global__ void normalise(const float16* __restrict__ x, const float16* __restrict__ weight, float16* __restrict__ y,
                                     int64_t C) {
  x += blockIdx.x * C;
  y += blockIdx.x * C;
  if (C % 8 == 0) normalise_row<uint4>(x, weight, y, C);
  else normalise_row<float16>(x, weight, y, C);
}
