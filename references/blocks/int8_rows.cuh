// SPDX-License-Identifier: Apache-2.0
// Rows of real numbers that become signed 8-bit ones, with a scale for each row. A block of 256 has a row, of which a thread holds 32
// numbers in registers; numbers of rows beyond 8,192 are computed a second time. Numbers::get(u, unit) computes unit u of a row: one number
// or, where rows are a multiple of that, four.
#pragma once

#include <stdint.h>

constexpr int kRowThreads = 256, kRowHeld = 32;

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }
__device__ float largest(float v, float before) { return larger(fabsf(v), before); }
__device__ float largest(float4 v, float before) { return largest(v.x, largest(v.y, largest(v.z, largest(v.w, before)))); }

// What a row is divided by. The quotient of its reciprocal is corrected by what is left of v, which is as exact as a division, and faster.
struct Divisor {
  float scale, inverse;

  __device__ explicit Divisor(float scale) : scale(scale), inverse(1 / scale) {}
  __device__ int8_t code_of(float v) const {
    const float near = v * inverse;
    return (int8_t)__float2int_rn(fmaf(fmaf(-near, scale, v), inverse, near));
  }
  __device__ int8_t codes_of(float v) const { return code_of(v); }
  __device__ char4 codes_of(float4 v) const { return make_char4(code_of(v.x), code_of(v.y), code_of(v.z), code_of(v.w)); }
};

template <class Unit, class Codes, class Numbers>
__device__ void quantize_units(const Numbers& numbers, Codes* __restrict__ q, float* __restrict__ scale, int64_t units, float least) {
  __shared__ float warps[kRowThreads / 32];
  constexpr int kHeld = kRowHeld * sizeof(float) / sizeof(Unit);
  Unit held[kHeld];
  float top = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (threadIdx.x + i * kRowThreads < units) {
      numbers.get(threadIdx.x + i * kRowThreads, held[i]);
      top = largest(held[i], top);
    }
  for (int64_t u = threadIdx.x + kHeld * kRowThreads; u < units; u += kRowThreads) {
    Unit unit;
    numbers.get(u, unit);
    top = largest(unit, top);
  }
  for (int width = 16; width > 0; width /= 2) top = larger(__shfl_xor_sync(0xffffffff, top, width), top);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = top;
  __syncthreads();
  top = warps[0];
  for (int warp = 1; warp < kRowThreads / 32; ++warp) top = larger(warps[warp], top);
  const Divisor divisor(larger(top / 127, least));
  if (threadIdx.x == 0) *scale = divisor.scale;
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (threadIdx.x + i * kRowThreads < units) q[threadIdx.x + i * kRowThreads] = divisor.codes_of(held[i]);
  for (int64_t u = threadIdx.x + kHeld * kRowThreads; u < units; u += kRowThreads) {
    Unit unit;
    numbers.get(u, unit);
    q[u] = divisor.codes_of(unit);
  }
}

// The row of the block, for a grid [N]: the scale is the largest magnitude / 127, at least `least`.
template <class Numbers>
__device__ void quantize_row(const Numbers& numbers, int8_t* __restrict__ q, float* __restrict__ scale, int64_t C, float least) {
  q += blockIdx.x * C;
  scale += blockIdx.x;
  if (C % 4 == 0) quantize_units<float4>(numbers, reinterpret_cast<char4*>(q), scale, C / 4, least);
  else quantize_units<float>(numbers, q, scale, C, least);
}
