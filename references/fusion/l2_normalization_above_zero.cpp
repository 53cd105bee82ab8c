// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

namespace {

double dot(const float* a, const float* b, int64_t count) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

}  // namespace

void l2_normalization_above_zero(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    const float norm = static_cast<float>(std::sqrt(dot(row, row, C) + 1e-6));
    for (int64_t c = 0; c < C; ++c) y[n * C + c] = row[c] / norm;
  }
}
