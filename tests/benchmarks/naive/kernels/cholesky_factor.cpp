// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void cholesky_factor(const float* x, float* y, int64_t N) {
  for (int64_t j = 0; j < N; ++j) {
    for (int64_t i = 0; i < j; ++i) y[i * N + j] = 0;
    float diagonal = x[j * N + j];
    for (int64_t k = 0; k < j; ++k) diagonal -= y[j * N + k] * y[j * N + k];
    y[j * N + j] = std::sqrt(diagonal);
#pragma omp parallel for
    for (int64_t i = j + 1; i < N; ++i) {
      float sum = x[i * N + j];
      for (int64_t k = 0; k < j; ++k) sum -= y[i * N + k] * y[j * N + k];
      y[i * N + j] = sum / y[j * N + j];
    }
  }
}
