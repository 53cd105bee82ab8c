// SPDX-License-Identifier: Apache-2.0
// In float64, column by column.
#include <cmath>
#include <vector>

#include "kernel.h"

void cholesky_factor(const float* x, float* y, int64_t N) {
  std::vector<double> l(N * N);
  for (int64_t j = 0; j < N; ++j) {
    const double* row = &l[j * N];
    double left = x[j * N + j];
    for (int64_t k = 0; k < j; ++k) left -= row[k] * row[k];
    const double root = std::sqrt(left);
    l[j * N + j] = root;
    for (int64_t i = j + 1; i < N; ++i) {
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < j; ++k) sum += l[i * N + k] * row[k];
      l[i * N + j] = (x[i * N + j] - sum) / root;
    }
  }
  for (int64_t i = 0; i < N * N; ++i) y[i] = static_cast<float>(l[i]);
}
