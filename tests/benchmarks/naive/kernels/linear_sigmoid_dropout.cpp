// SPDX-License-Identifier: Apache-2.0
#include <cmath>

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

void linear_sigmoid_dropout(const float* x, const float* w, const float* b, const int64_t* key, const int64_t* first, float* y, int64_t M,
                            int64_t K, int64_t N) {
#pragma omp parallel for
  for (int64_t i = 0; i < M; ++i) {
    for (int64_t j = 0; j < N; ++j) {
      float sum = b[j];
      for (int64_t k = 0; k < K; ++k) sum += x[i * K + k] * w[j * K + k];
      float z = 1 / (1 + std::exp(-sum));
      uint32_t word = first_word((uint64_t)key[0], (uint64_t)first[0] + i * N + j);
      y[i * N + j] = word >= 1073741824 ? z / 0.75f : 0;
    }
  }
}
