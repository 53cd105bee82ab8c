// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel write grid [div_up(B * div_up(U, 8) * div_up(D, 8), 256)] block [256]
                (cache, offsets, updates, scale, zero, long(B * div_up(U, 8) * div_up(D, 8)), S, U, D)
*/
// A thread has eight neighbouring numbers of up to eight tokens: their scales and zeros stay in registers. Where tokens are a multiple of
// eight numbers, those are one load and one store.
#include "blocks/quotient.cuh"
#include "kernel.h"

constexpr int kNumbers = 8, kTokens = 8;

struct Column {
  float scale, inverse, zero;
};

// The quotient of the reciprocal is corrected by what is left of v, which is as exact as a division, and faster.
__device__ int8_t code_of(float v, Column column) {
  const float near = v * column.inverse, scaled = fmaf(fmaf(-near, column.scale, v), column.inverse, near);
  return (int8_t)min(max(__float2int_rn(scaled + column.zero), -128), 127);
}

extern "C" __global__ void __launch_bounds__(256)
    write(int8_t* __restrict__ cache, const int32_t* __restrict__ offsets, const float16* __restrict__ updates,
          const float* __restrict__ scale, const int32_t* __restrict__ zero, int64_t threads, int64_t S, int64_t U, int64_t D) {
  const int64_t thread = blockIdx.x * 256ll + threadIdx.x;
  if (thread >= threads) return;
  const int64_t units = (D + kNumbers - 1) / kNumbers, parts = (U + kTokens - 1) / kTokens;
  const int64_t part = quotient(thread, units), b = quotient(part, parts);
  const int64_t first = (thread - part * units) * kNumbers, token = (part - b * parts) * kTokens;
  const int tokens = (int)min(U - token, (int64_t)kTokens), count = (int)min(D - first, (int64_t)kNumbers);
  Column columns[kNumbers];
#pragma unroll
  for (int i = 0; i < kNumbers; ++i) {
    const float divisor = i < count ? scale[first + i] : 1;
    columns[i] = {divisor, 1 / divisor, i < count ? (float)zero[first + i] : 0};
  }
  updates += (b * U + token) * D + first;
  cache += (b * (S + U) + offsets[b] + token) * D + first;
  if (D % kNumbers == 0) {
#pragma unroll
    for (int t = 0; t < kTokens; ++t) {
      if (t >= tokens) return;
      const uint4 eight = *reinterpret_cast<const uint4*>(updates + t * D);
      const __half2* pairs = reinterpret_cast<const __half2*>(&eight);
      alignas(8) int8_t codes[kNumbers];
#pragma unroll
      for (int i = 0; i < kNumbers; i += 2) {
        const float2 v = __half22float2(pairs[i / 2]);
        codes[i] = code_of(v.x, columns[i]);
        codes[i + 1] = code_of(v.y, columns[i + 1]);
      }
      *reinterpret_cast<uint2*>(cache + t * D) = *reinterpret_cast<const uint2*>(codes);
    }
    return;
  }
  for (int t = 0; t < tokens; ++t) {
#pragma unroll
    for (int i = 0; i < kNumbers; ++i)
      if (i < count) cache[t * D + i] = code_of(__half2float(updates[t * D + i]), columns[i]);
  }
}
