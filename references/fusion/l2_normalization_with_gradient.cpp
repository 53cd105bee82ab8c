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

void l2_normalization_with_gradient(const float* x, const float* dy, float* y, float* dx, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float *row = x + n * C, *behind = dy + n * C;
    const double square = dot(row, row, C) + 1e-6;
    const float share = static_cast<float>(dot(row, behind, C) / square), norm = static_cast<float>(std::sqrt(square));
    for (int64_t c = 0; c < C; ++c) {
      y[n * C + c] = row[c] / norm;
      dx[n * C + c] = (behind[c] - row[c] * share) / norm;
    }
  }
}
