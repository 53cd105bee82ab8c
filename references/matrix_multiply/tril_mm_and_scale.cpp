// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void tril_mm_and_scale(const float* a, const float* b, float* y, int64_t M, int64_t N) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < M; ++i) {
    float* __restrict row = y + i * N;
    std::fill_n(row, N, 0.0f);
    for (int64_t k = 0; k <= i; ++k) {
      const float left = 2 * a[i * M + k];
#pragma omp simd
      for (int64_t j = 0; j < N; ++j) row[j] += left * b[k * N + j];
    }
  }
}
