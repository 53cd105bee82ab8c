// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N] block [256] (x, weight, bias, y, mean, rstd, C)
*/
// A block has a row, of which a thread holds 16 numbers in registers, as they are stored; what lies beyond is read again. All between the
// load and the store is float. Deviations are those from the mean, so that neither a large offset nor a constant row cancels.
#include "kernel.h"

constexpr int kThreads = 256, kWarps = kThreads / 32;

// Of all threads of the block, for all of them.
__device__ float sum_of_block(float value) {
  __shared__ float warps[kWarps];
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(0xffffffff, value, width);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) value += warps[warp];
  return value;
}

// Units are eight numbers, two in each word, or one.
__device__ float2 both(unsigned word) { return __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(&word)); }

template <class F>
__device__ void each_number(unsigned word, F f) {
  const float2 v = both(word);
  f(v.x);
  f(v.y);
}
template <class F>
__device__ void each_number(uint4 v, F f) {
  each_number(v.x, f);
  each_number(v.y, f);
  each_number(v.z, f);
  each_number(v.w, f);
}
template <class F>
__device__ void each_number(bfloat16 v, F f) {
  f(__bfloat162float(v));
}

template <class F>
__device__ unsigned map(unsigned v, unsigned w, unsigned z, F f) {
  const float2 a = both(v), b = both(w), c = both(z);
  const __nv_bfloat162 y = __floats2bfloat162_rn(f(a.x, b.x, c.x), f(a.y, b.y, c.y));
  return *reinterpret_cast<const unsigned*>(&y);
}
template <class F>
__device__ uint4 map(uint4 v, uint4 w, uint4 z, F f) {
  return make_uint4(map(v.x, w.x, z.x, f), map(v.y, w.y, z.y, f), map(v.z, w.z, z.z, f), map(v.w, w.w, z.w, f));
}
template <class F>
__device__ bfloat16 map(bfloat16 v, bfloat16 w, bfloat16 z, F f) {
  return __float2bfloat16_rn(f(__bfloat162float(v), __bfloat162float(w), __bfloat162float(z)));
}

template <class Unit>
struct Row {
  static constexpr int kEach = sizeof(Unit) / sizeof(bfloat16), kHeld = 16 / kEach;
  const Unit* from;
  int64_t units;
  Unit held[kHeld];

  __device__ Row(const bfloat16* numbers, int64_t length) : from(reinterpret_cast<const Unit*>(numbers)), units(length / kEach) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) held[i] = from[threadIdx.x + i * kThreads];
  }
  // Calls f with the place and value of each unit.
  template <class F>
  __device__ void each(F f) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) f(threadIdx.x + i * kThreads, held[i]);
    for (int64_t u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) f(u, from[u]);
  }
};

template <class Unit>
__device__ void normalise_row(const bfloat16* __restrict__ x, const bfloat16* __restrict__ weight, const bfloat16* __restrict__ bias,
                              bfloat16* __restrict__ y, float* __restrict__ mean_of_row, float* __restrict__ rstd, int64_t length) {
  const Row<Unit> row(x, length);
  float sum = 0;
  row.each([&](int64_t, Unit v) { each_number(v, [&](float number) { sum += number; }); });
  const float mean = sum_of_block(sum) / length;
  float rest = 0, squares = 0;
  row.each([&](int64_t, Unit v) {
    each_number(v, [&](float number) {
      const float d = number - mean;
      rest += d;
      squares += d * d;
    });
  });
  const float off = sum_of_block(rest) / length;  // what the mean was rounded by
  const float variance = sum_of_block(squares) / length - off * off;
  const float factor = 1 / sqrtf((variance < 0 ? 0 : variance) + 1e-5f);
  if (threadIdx.x == 0) {
    *mean_of_row = isinf(mean) ? mean : mean + off;
    *rstd = factor;
  }
  row.each([&](int64_t u, Unit v) {
    const Unit s = reinterpret_cast<const Unit*>(weight)[u], b = reinterpret_cast<const Unit*>(bias)[u];
    reinterpret_cast<Unit*>(y)[u] = map(v, s, b, [&](float number, float s, float b) { return ((number - mean) - off) * factor * s + b; });
  });
}

extern "C" __global__ void __launch_bounds__(kThreads)
    normalise(const bfloat16* __restrict__ x, const bfloat16* __restrict__ weight, const bfloat16* __restrict__ bias,
              bfloat16* __restrict__ y, float* __restrict__ mean, float* __restrict__ rstd, int64_t C) {
  x += blockIdx.x * C;
  y += blockIdx.x * C;
  mean += blockIdx.x;
  rstd += blockIdx.x;
  if (C % 8 == 0) normalise_row<uint4>(x, weight, bias, y, mean, rstd, C);
  else normalise_row<bfloat16>(x, weight, bias, y, mean, rstd, C);
}
