// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void frobenius_normalization(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W) {
  const int64_t size = N * C * H * W;
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (int64_t i = 0; i < size; ++i) sum += static_cast<double>(x[i]) * x[i];
  const double norm = std::sqrt(sum);
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < size; ++i) y[i] = x[i] / norm;
}
