// SPDX-License-Identifier: Apache-2.0
// Two numbers for each counter.
#include "blocks/vector_math.h"

#include <cmath>

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

extern "C" void normal_numbers(const int64_t* key, const int64_t* first, float* y, int64_t Q) {
#pragma omp parallel for
  for (int64_t i = 0; i < Q; ++i) {
    const Uniforms drawn = uniforms(key[0], static_cast<uint64_t>(first[0]) + i);
    const float u = drawn.u[0] + 0x1p-24f, angle = 6.2831855f * (drawn.u[1] + 0x1p-24f), radius = std::sqrt(-2 * blocks::log(u));
    y[2 * i] = radius * std::cos(angle);
    y[2 * i + 1] = radius * std::sin(angle);
  }
}
