// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void vector_times_stack(const float* x, const float* b, float* y, int64_t K, int64_t B, int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < B; ++n) {
    float* __restrict row = y + n * N;
    std::fill_n(row, N, 0.0f);
    for (int64_t k = 0; k < K; ++k)
#pragma omp simd
      for (int64_t j = 0; j < N; ++j) row[j] += x[k] * b[(n * K + k) * N + j];
  }
}
