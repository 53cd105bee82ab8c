// SPDX-License-Identifier: Apache-2.0
// Forward and back substitution in float64, on rows of all right-hand sides.
#include <vector>

#include "kernel.h"

void cholesky_solve(const float* b, const float* l, float* y, int64_t N, int64_t K) {
  std::vector<double> x(b, b + N * K);
  for (int64_t i = 0; i < N; ++i) {
    for (int64_t k = 0; k < i; ++k)
      for (int64_t j = 0; j < K; ++j) x[i * K + j] -= l[i * N + k] * x[k * K + j];
    for (int64_t j = 0; j < K; ++j) x[i * K + j] /= l[i * N + i];
  }
  for (int64_t i = N; i-- > 0;) {
    for (int64_t k = i + 1; k < N; ++k)
      for (int64_t j = 0; j < K; ++j) x[i * K + j] -= l[k * N + i] * x[k * K + j];
    for (int64_t j = 0; j < K; ++j) x[i * K + j] /= l[i * N + i];
  }
  for (int64_t i = 0; i < N * K; ++i) y[i] = static_cast<float>(x[i]);
}
