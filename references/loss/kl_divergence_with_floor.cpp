// SPDX-License-Identifier: Apache-2.0
// Rows are summed first, so that the sum of all has few roundings.
#include "blocks/vector_math.h"

#include <vector>

#include "kernel.h"

extern "C" void kl_divergence_with_floor(const float* log_p, const float* target, float* y, int64_t N, int64_t C) {
  std::vector<float> rows(N);
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = n * C; c < (n + 1) * C; ++c) {
      const float share = target[c], floored = share < 0.0001f ? 0.0001f : share;
      sum += share * (blocks::log(floored) - log_p[c]);
    }
    rows[n] = sum;
  }
  float all = 0;
  for (const float row : rows) all += row;
  *y = all / static_cast<float>(N);
}
