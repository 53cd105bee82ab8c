// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel widen grid [div_up(4 * N, 256)] block [256] (x, s, y, long(4 * N))
*/
// A thread has four bytes, whose eight numbers are one store; four threads have a block.
#include "kernel.h"

// Codes to 4 are halves, and those to 6 are two too large.
__device__ float number(unsigned code) {
  const unsigned size = code & 7;
  const float value = size < 5 ? 0.5f * size : size < 7 ? size - 2.0f : 6.0f;
  return code & 8 ? -value : value;
}
__device__ unsigned both(unsigned byte, float scale) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(number(byte >> 4 & 15) * scale, number(byte & 15) * scale);
  return *reinterpret_cast<const unsigned*>(&pair);
}

extern "C" __global__ void widen(const unsigned* __restrict__ x, const uint8_t* __restrict__ s, uint4* __restrict__ y, int64_t words) {
  const int64_t i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= words) return;
  const unsigned word = x[i], power = s[i / 4];
  // 2^-127 is subnormal; an exponent of 255 is made NaN.
  const float scale = __uint_as_float(power == 0 ? 1u << 22 : power == 255 ? 0x7fc00000 : power << 23);
  y[i] = make_uint4(both(word, scale), both(word >> 8, scale), both(word >> 16, scale), both(word >> 24, scale));
}
