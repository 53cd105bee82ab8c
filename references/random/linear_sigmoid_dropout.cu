// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel layer grid [div_up(N, 64), div_up(M, 64)] block [256] (x, w, b, key, first, y, M, K, N)
*/
#include <stdint.h>

#include "blocks/product.cuh"

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

__device__ float kept_sigmoid(float z, uint64_t key, uint64_t counter) {
  return random_word(key, counter) >= 1u << 30 ? 1 / (1 + expf(-z)) / 0.75f : 0;
}

extern "C" __global__ void __launch_bounds__(2 * kGroup, 2)
    layer(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, const int64_t* __restrict__ key,
          const int64_t* __restrict__ first, float* __restrict__ y, long long M, long long K, long long N) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  const auto whole = multiply<2>(Rows(x, m0, M, K), Rows(w, n0, N, K), 0, K);
  const uint64_t k = *key;
  for (int e = threadIdx.x; e < kTile * kTile; e += 2 * kGroup) {
    const long long m = m0 + e / kTile, n = n0 + e % kTile;
    if (m < M && n < N) y[m * N + n] = kept_sigmoid(whole[e / kTile][e % kTile] + b[n], k, *first + (uint64_t)(m * N + n));
  }
}
