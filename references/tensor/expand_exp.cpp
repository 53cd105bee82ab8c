// SPDX-License-Identifier: Apache-2.0
// Each exponential is computed once and copied to the other rows while it is in cache.
#include "blocks/vector_math.h"

#include <algorithm>

#include "kernel.h"

extern "C" void expand_exp(const float* x, float* y, int64_t N, int64_t R) {
  constexpr int64_t block = 2048;
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < N; first += block) {
    const int64_t count = std::min(block, N - first);
#pragma omp simd
    for (int64_t i = first; i < first + count; ++i) y[i] = blocks::exp(x[i]);
    for (int64_t r = 1; r < R; ++r) std::copy_n(y + first, count, y + r * N + first);
  }
}
