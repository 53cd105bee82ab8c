// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel widen grid [div_up(N, 1024)] block [256] (x, y, N)
*/
// A thread has four bytes, whose eight numbers are one store.
#include "kernel.h"

// The bits of a bfloat16. Exponent and fraction of the code move into place; 0.5 is a subnormal number there, and here it is not.
__device__ unsigned wide(unsigned code) {
  const unsigned size = code & 7, bits = size > 1 ? (size << 6) + (126 << 7) : size == 1 ? 126 << 7 : 0;
  return (code & 8) << 12 | bits;
}
__device__ unsigned both(unsigned byte) { return wide(byte >> 4 & 15) | wide(byte & 15) << 16; }

extern "C" __global__ void widen(const uint8_t* __restrict__ x, bfloat16* __restrict__ y, int64_t N) {
  const int64_t i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= N) {
    const unsigned word = *reinterpret_cast<const unsigned*>(x + i);
    *reinterpret_cast<uint4*>(y + 2 * i) = make_uint4(both(word), both(word >> 8), both(word >> 16), both(word >> 24));
    return;
  }
  for (int64_t e = i; e < N; ++e) *reinterpret_cast<unsigned*>(y + 2 * e) = both(x[e]);
}
