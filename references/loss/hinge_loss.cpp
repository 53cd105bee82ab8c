// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void hinge_loss(const float* x, const float* t, float* y, int64_t N, int64_t C) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) {
      const double margin = 1.0 - static_cast<double>(row[c]) * t[c];
      sum += margin < 0.0 ? 0.0 : margin;
    }
  }
  y[0] = static_cast<float>(sum / static_cast<double>(N * C));
}
