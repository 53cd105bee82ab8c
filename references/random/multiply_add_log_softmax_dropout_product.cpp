// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

/// The first word that Philox4x32-10 gives for a counter.
uint32_t first_word(uint64_t key, uint64_t counter) {
  uint32_t c0 = static_cast<uint32_t>(counter), c1 = counter >> 32, c2 = 0, c3 = 0;
  uint32_t k0 = static_cast<uint32_t>(key), k1 = key >> 32;
  for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
    const uint64_t p0 = 0xD2511F53ull * c0, p1 = 0xCD9E8D57ull * c2;
    c0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<uint32_t>(p1);
    c2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<uint32_t>(p0);
  }
  return c0;
}

/// Dropout of one number: 0 with probability 1/4.
struct Dropout {
  uint64_t key, first;
  float operator()(float z, uint64_t place) const {
    return first_word(key, first + place) < (1u << 30) ? 0 : z / 0.75f;
  }
};

}  // namespace

extern "C" void multiply_add_log_softmax_dropout_product(const float* a, const float* b, const float* c, const float* d,
                                                         const int64_t* key, const int64_t* first, float* y, int64_t B,
                                                         int64_t M, int64_t K, int64_t N) {
  const Dropout dropout{static_cast<uint64_t>(key[0]), static_cast<uint64_t>(first[0])};
  std::vector<float> kept(B * M * K);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < B * M; ++m) {
    float* row = &kept[m * K];
    for (int64_t k = 0; k < K; ++k) row[k] = a[m * K + k] * b[m * K + k] + c[m * K + k];
    const float top = *std::max_element(row, row + K);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < K; ++k) sum += blocks::exp(row[k] - top);
    const float logarithm = blocks::log(sum);
    for (int64_t k = 0; k < K; ++k) row[k] = dropout(row[k] - top - logarithm, m * K + k);
  }
  for (int64_t i = 0; i < B; ++i)
    blocks::product(M, N, K, blocks::row_major(&kept[i * M * K], K), blocks::row_major(d + i * K * N, N), y + i * M * N,
                    N);
}
