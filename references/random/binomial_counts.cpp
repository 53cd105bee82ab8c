// SPDX-License-Identifier: Apache-2.0
// Four trials for each counter.
#include "kernel.h"

namespace {

/// The four words that Philox4x32-10 gives for a counter, as numbers of [0, 1): without their lowest eight bits, times 2^-24.
struct Uniforms {
  float u[4];
};

Uniforms uniforms(uint64_t key, uint64_t counter) {
  uint32_t c0 = static_cast<uint32_t>(counter), c1 = counter >> 32, c2 = 0, c3 = 0;
  uint32_t k0 = static_cast<uint32_t>(key), k1 = key >> 32;
  for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
    const uint64_t p0 = 0xD2511F53ull * c0, p1 = 0xCD9E8D57ull * c2;
    c0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<uint32_t>(p1);
    c2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<uint32_t>(p0);
  }
  const auto number = [](uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; };
  return {{number(c0), number(c1), number(c2), number(c3)}};
}

}  // namespace

extern "C" void binomial_counts(const float* probability, const int64_t* key, const int64_t* first, float* y, int64_t N, int64_t T) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    int64_t successes = 0;
    for (int64_t t = 0; t < T; ++t) {
      const Uniforms drawn = uniforms(key[0], static_cast<uint64_t>(first[0]) + n * T + t);
      for (const float u : drawn.u) successes += u < probability[n];
    }
    y[n] = static_cast<float>(successes);
  }
}
