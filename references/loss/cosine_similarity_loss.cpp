// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void cosine_similarity_loss(const float* x, const float* t, float* y, int64_t N, int64_t C) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    double dot = 0, left = 0, right = 0;
#pragma omp simd reduction(+ : dot, left, right)
    for (int64_t i = n * C; i < (n + 1) * C; ++i) {
      dot += static_cast<double>(x[i]) * t[i];
      left += static_cast<double>(x[i]) * x[i];
      right += static_cast<double>(t[i]) * t[i];
    }
    sum += 1 - dot / (std::sqrt(left) * std::sqrt(right));
  }
  *y = sum / N;
}
