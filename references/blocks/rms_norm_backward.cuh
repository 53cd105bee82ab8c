// SPDX-License-Identifier: Apache-2.0
// Gradients of y = weight u, where u are rows x[n] rstd[n] of C numbers: those by x, and pieces of those by weight, which are sums down
// the columns. Blocks go through rows that lie a grid apart. A thread has the same columns of each: their sums of dy u stay in registers,
// beyond kNumbers of a thread in the block's row of `part`, [blocks, C]. Those rows are added up with columns.cuh. The file that includes
// this says kNumbers.
#pragma once

#include <cuda_bf16.h>

#include "blocks/columns.cuh"
#include "blocks/row_pairs.cuh"

struct Sum {
  static __device__ float start() { return 0; }
  static __device__ float join(float a, float b) { return a + b; }
};

// A bfloat16 is the upper half of a float.
__device__ float low(unsigned word) { return __uint_as_float(word << 16); }
__device__ float high(unsigned word) { return __uint_as_float(word & 0xffff0000); }

// Units of one or four numbers.
__device__ void get(const float* from, long long u, float& into) { into = from[u]; }
__device__ void get(const float* from, long long u, float4& into) { into = reinterpret_cast<const float4*>(from)[u]; }
__device__ void get(const __nv_bfloat16* from, long long u, float& into) { into = __bfloat162float(from[u]); }
__device__ void get(const __nv_bfloat16* from, long long u, float4& into) {
  const uint2 v = reinterpret_cast<const uint2*>(from)[u];
  into = make_float4(low(v.x), high(v.x), low(v.y), high(v.y));
}

__device__ unsigned both(float low, float high) {
  const __nv_bfloat162 y = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&y);
}

__device__ void put(float* to, long long u, float v) { to[u] = v; }
__device__ void put(float* to, long long u, float4 v) { reinterpret_cast<float4*>(to)[u] = v; }
__device__ void put(__nv_bfloat16* to, long long u, float v) { to[u] = __float2bfloat16_rn(v); }
__device__ void put(__nv_bfloat16* to, long long u, float4 v) {
  reinterpret_cast<uint2*>(to)[u] = make_uint2(both(v.x, v.y), both(v.z, v.w));
}

// A thread's units of a row and its gradient, of one or four pairs.
template <class Unit, class Gradient>
struct Graded {
  static constexpr int kEach = sizeof(Unit) / sizeof(float), kHeld = kNumbers / kEach;
  const float* row;
  const Gradient* dy;
  long long units;
  Unit v[kHeld], g[kHeld];

  __device__ Graded(const float* row, const Gradient* dy, long long length) : row(row), dy(dy), units(length / kEach) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) {
        get(row, threadIdx.x + i * kThreads, v[i]);
        get(dy, threadIdx.x + i * kThreads, g[i]);
      }
  }
  // Calls f with the place, the numbers and the gradients of each unit that is not held.
  template <class F>
  __device__ void each_other(F f) const {
    Unit other, other_g;
#pragma unroll 1
    for (long long u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) {
      get(row, u, other);
      get(dy, u, other_g);
      f(u, other, other_g);
    }
  }
  template <class F>
  __device__ void each(F f) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) f(threadIdx.x + i * kThreads, v[i], g[i]);
    each_other(f);
  }
};

// Rows are u itself where rstd is given, else x.
template <class Unit, class Gradient>
__device__ void gradients_of_rows(const Gradient* __restrict__ dy, const float* __restrict__ rows, const float* __restrict__ rstd,
                                  const float* __restrict__ weight, Gradient* __restrict__ dx, float* __restrict__ part, long long N,
                                  long long C) {
  constexpr int kHeld = Graded<Unit, Gradient>::kHeld, kEach = Graded<Unit, Gradient>::kEach;
  part += blockIdx.x * C;
  Unit sums[kHeld];
#pragma unroll
  for (Unit& sum : sums) sum = filled<Unit>(0);
  for (long long n = blockIdx.x; n < N; n += gridDim.x) {
    const Graded<Unit, Gradient> row(rows + n * C, dy + n * C, C);
    float scale, to_u = 1;
    if (rstd) scale = rstd[n];
    else {
      float squares = 0;
      row.each([&](long long, Unit v, Unit) { each_number(v, [&](float x) { squares += x * x; }); });
      to_u = scale = 1 / sqrtf(sum_of_block(squares) / C + 1e-6f);
    }
    float along = 0;
    row.each([&](long long u, Unit v, Unit g) {
      Unit w;
      get(weight, u, w);
      map(v, g, w, [&](float x, float dy, float weight) { return along += dy * weight * (x * to_u); });
    });
    const float mean = sum_of_block(along) / C;
    row.each([&](long long u, Unit v, Unit g) {
      Unit w;
      get(weight, u, w);
      put(dx + n * C, u, map(v, g, w, [&](float x, float dy, float weight) { return scale * (dy * weight - x * to_u * mean); }));
    });
    const auto add = [&](float sum, float x, float dy) { return sum + dy * (x * to_u); };
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < row.units) sums[i] = map(sums[i], row.v[i], row.g[i], add);
    row.each_other([&](long long u, Unit v, Unit g) {
      Unit before = filled<Unit>(0);
      if (n != blockIdx.x) get(part, u, before);
      put(part, u, map(before, v, g, add));
    });
  }
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (threadIdx.x + i * kThreads < C / kEach) put(part, threadIdx.x + i * kThreads, sums[i]);
}
