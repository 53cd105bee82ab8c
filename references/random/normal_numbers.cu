// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel draw grid [div_up(Q, 256)] block [256] (key, first, y, Q)
*/
// A thread has a counter, whose two numbers are one store.
#include <stdint.h>

// The four words of Philox4x32-10.
__device__ uint4 random_words(uint64_t key, uint64_t counter) {
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32), c0 = (uint32_t)counter, c1 = (uint32_t)(counter >> 32), c2 = 0, c3 = 0;
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = (uint64_t)0xD2511F53 * c0, p1 = (uint64_t)0xCD9E8D57 * c2;
    c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
    c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
    c1 = (uint32_t)p1;
    c3 = (uint32_t)p0;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return make_uint4(c0, c1, c2, c3);
}

// Never 0, so that its logarithm is finite.
__device__ float above_zero(uint32_t word) { return ((float)(word >> 8) + 1) * 5.9604644775390625e-8f; }

extern "C" __global__ void draw(const int64_t* __restrict__ key, const int64_t* __restrict__ first, float2* __restrict__ y, int64_t Q) {
  const int64_t i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= Q) return;
  const uint4 words = random_words(*key, *first + (uint64_t)i);
  const float radius = sqrtf(-2 * logf(above_zero(words.x))), angle = above_zero(words.y) * 6.2831855f;
  y[i] = make_float2(radius * cosf(angle), radius * sinf(angle));
}
