// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel draw grid [div_up(N, 256)] block [256] (key, counters, y, N)
*/
// A thread has a counter, whose four words are one store.
#include <stdint.h>

extern "C" __global__ void draw(const int64_t* __restrict__ key, const int64_t* __restrict__ counters, uint4* __restrict__ y, int64_t N) {
  const int64_t n = blockIdx.x * 256ll + threadIdx.x;
  if (n >= N) return;
  const uint64_t counter = (uint64_t)counters[n], keys = (uint64_t)*key;
  uint32_t k0 = (uint32_t)keys, k1 = (uint32_t)(keys >> 32), c0 = (uint32_t)counter, c1 = (uint32_t)(counter >> 32), c2 = 0, c3 = 0;
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
  y[n] = make_uint4(c0, c1, c2, c3);
}
