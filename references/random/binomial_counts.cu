// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel draw grid [div_up(N, 256)] block [256] (probability, key, first, y, N, T)
*/
// A thread has a probability, and counts the four trials of each of its counters.
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

__device__ int hit(uint32_t word, float p) { return (float)(word >> 8) * 5.9604644775390625e-8f < p; }

extern "C" __global__ void draw(const float* __restrict__ probability, const int64_t* __restrict__ key, const int64_t* __restrict__ first,
                                float* __restrict__ y, int64_t N, int64_t T) {
  const int64_t n = blockIdx.x * 256ll + threadIdx.x;
  if (n >= N) return;
  const uint64_t k = *key, counter = *first + (uint64_t)(n * T);
  const float p = probability[n];
  int64_t hits = 0;
  for (int64_t t = 0; t < T; ++t) {
    const uint4 words = random_words(k, counter + (uint64_t)t);
    hits += hit(words.x, p) + hit(words.y, p) + hit(words.z, p) + hit(words.w, p);
  }
  y[n] = (float)hits;
}
