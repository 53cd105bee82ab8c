// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

static uint32_t first_word(uint64_t key, uint64_t counter) {
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  uint32_t c0 = (uint32_t)counter, c1 = (uint32_t)(counter >> 32), c2 = 0, c3 = 0;
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = (uint64_t)0xD2511F53 * c0;
    uint64_t p1 = (uint64_t)0xCD9E8D57 * c2;
    c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)p1;
    c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)p0;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c0;
}

void multinomial_sampling(const float* probability, const int64_t* key, const int64_t* offsets, int64_t* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    uint32_t word = first_word((uint64_t)key[0], (uint64_t)offsets[n]);
    double u = (word >> 8) * 5.9604644775390625e-08;
    double total = 0;
    int64_t count = 0;
    for (int64_t j = 0; j < C - 1; ++j) {
      total += probability[n * C + j];
      if (total <= u) ++count;
    }
    y[n] = count;
  }
}
