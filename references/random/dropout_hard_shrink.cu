// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel drop grid [div_up(div_up(N * C, 4), 256)] block [256] (x, key, first, y, long(N * C))
*/
// A thread has four neighbouring numbers, each with a counter of its own; those of the last one may be fewer.
#include <stdint.h>

// The first word of Philox4x32-10.
__device__ uint32_t random_word(uint64_t key, uint64_t counter) {
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
  return c0;
}

__device__ float kept(float x, uint64_t key, uint64_t counter) {
  const float y = random_word(key, counter) >= 1u << 30 ? x / 0.75f : 0;
  return y < -0.5f || y > 0.5f ? y : 0;
}

extern "C" __global__ void drop(const float* __restrict__ x, const int64_t* __restrict__ key, const int64_t* __restrict__ first,
                                float* __restrict__ y, int64_t count) {
  const int64_t i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  const uint64_t k = *key, counter = *first + (uint64_t)i;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) =
        make_float4(kept(v.x, k, counter), kept(v.y, k, counter + 1), kept(v.z, k, counter + 2), kept(v.w, k, counter + 3));
    return;
  }
  for (int64_t e = i; e < count; ++e) y[e] = kept(x[e], k, *first + (uint64_t)e);
}
