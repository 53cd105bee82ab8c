// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"
#include "blocks/product.h"


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

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void batched_product_dropout_gelu(const float* a, const float* b, const int64_t* key, const int64_t* first,
                                             float* y, int64_t B, int64_t M, int64_t K, int64_t N) {
  const Dropout dropout{static_cast<uint64_t>(key[0]), static_cast<uint64_t>(first[0])};
  for (int64_t i = 0; i < B; ++i)
    blocks::product(M, N, K, blocks::row_major(a + i * M * K, K), blocks::row_major(b + i * K * N, N), y + i * M * N,
                    N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < B * M; ++m) {
    float* row = y + m * N;
    for (int64_t n = 0; n < N; ++n) row[n] = gelu(dropout(row[n], m * N + n));
  }
}
