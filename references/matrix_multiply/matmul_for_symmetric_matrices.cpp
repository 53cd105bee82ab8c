// SPDX-License-Identifier: Apache-2.0
// A block of rows at a time meets each row of b, which stays in the cache.
#include <algorithm>

#include "kernel.h"

void matmul_for_symmetric_matrices(const float* a, const float* b, float* y, int64_t N) {
  constexpr int64_t block = 8;
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < N; first += block) {
    const int64_t last = std::min(first + block, N);
    std::fill_n(y + first * N, (last - first) * N, 0.0f);
    for (int64_t k = 0; k < N; ++k)
      for (int64_t i = first; i < last; ++i) {
        float* __restrict row = y + i * N;
        const float factor = a[i * N + k];
#pragma omp simd
        for (int64_t j = 0; j < N; ++j) row[j] += factor * b[k * N + j];
      }
  }
}
