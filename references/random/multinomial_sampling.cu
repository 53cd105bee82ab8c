// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel draw grid [div_up(N, 8)] block [256] (probability, key, offsets, y, N, C)
*/
// A warp has a row. It adds up 32 columns at a time, in double, and ends where the sum passes the number drawn.
#include <stdint.h>

constexpr unsigned kAll = 0xffffffff;

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

extern "C" __global__ void draw(const float* __restrict__ probability, const int64_t* __restrict__ key, const int64_t* __restrict__ offsets,
                                int64_t* __restrict__ y, int64_t N, int64_t C) {
  const int64_t n = blockIdx.x * 8ll + threadIdx.x / 32;
  if (n >= N) return;
  const int lane = threadIdx.x % 32;
  const float u = (float)(random_word(*key, offsets[n]) >> 8) * 5.9604644775390625e-8f;
  double before = 0;
  int64_t passed = 0;
  for (int64_t c = lane; c - lane < C - 1; c += 32) {
    double sum = c < C - 1 ? probability[n * C + c] : 0;
    for (int d = 1; d < 32; d *= 2) {
      const double lower = __shfl_up_sync(kAll, sum, d);
      if (lane >= d) sum += lower;
    }
    sum += before;
    before = __shfl_sync(kAll, sum, 31);
    passed += __popc(__ballot_sync(kAll, c < C - 1 && sum <= u));
    if (before > u) break;
  }
  if (lane == 0) y[n] = passed;
}
