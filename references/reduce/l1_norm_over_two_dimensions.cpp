// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void l1_norm_over_two_dimensions(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    double sum = 0.0;
    for (int64_t b = 0; b < B; ++b) {
      const float* row = x + (b * M + m) * N;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < N; ++i) sum += std::fabs(row[i]);
    }
    y[m] = static_cast<float>(sum);
  }
}
