// SPDX-License-Identifier: Apache-2.0
// Back substitution in float64, on rows of all right-hand sides.
#include <vector>

#include "kernel.h"

void triangular_solve_and_add(const float* a, const float* b, const float* z, const float* alpha, float* y, int64_t N, int64_t K) {
  std::vector<double> x(b, b + N * K);
  for (int64_t i = N; i-- > 0;) {
    for (int64_t k = i + 1; k < N; ++k)
      for (int64_t j = 0; j < K; ++j) x[i * K + j] -= a[i * N + k] * x[k * K + j];
    for (int64_t j = 0; j < K; ++j) {
      x[i * K + j] /= a[i * N + i];
      y[i * K + j] = static_cast<float>(x[i * K + j] + static_cast<double>(alpha[0]) * z[i * K + j]);
    }
  }
}
