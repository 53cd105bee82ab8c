// SPDX-License-Identifier: Apache-2.0
// Rows lie anywhere in the table: they are fetched ahead.
#include <algorithm>

#include "kernel.h"

extern "C" void embedding_bag_sum(const int64_t* indices, const int64_t* offsets, const float* table, float* y,
                                  int64_t K, int64_t B, [[maybe_unused]] int64_t V, int64_t D) {
  constexpr int64_t ahead = 8, line = 16;
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t b = 0; b < B; ++b) {
    float* bag = y + b * D;
    std::fill_n(bag, D, 0.0f);
    const int64_t end = b + 1 < B ? offsets[b + 1] : K;
    for (int64_t k = offsets[b]; k < end; ++k) {
      const float *row = table + indices[k] * D, *later = table + indices[std::min(k + ahead, K - 1)] * D;
      for (int64_t d = 0; d < D; d += line) __builtin_prefetch(later + d);
#pragma omp simd
      for (int64_t d = 0; d < D; ++d) bag[d] += row[d];
    }
  }
}
