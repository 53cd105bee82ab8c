// SPDX-License-Identifier: Apache-2.0
// Two passes: the mean first, since the squares of the elements would cancel.
#include <cmath>

#include "kernel.h"

void sample_standard_deviation(const float* x, float* y, int64_t N, int64_t C) {
  const int64_t count = N * C;
  double sum = 0.0, squares = 0.0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (int64_t i = 0; i < count; ++i) sum += x[i];
  const double mean = sum / static_cast<double>(count);
#pragma omp parallel for simd reduction(+ : squares) schedule(static)
  for (int64_t i = 0; i < count; ++i) squares += (x[i] - mean) * (x[i] - mean);
  y[0] = static_cast<float>(std::sqrt(squares / static_cast<double>(count - 1)));
}
