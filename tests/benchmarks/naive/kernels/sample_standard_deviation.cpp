// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void sample_standard_deviation(const float* x, float* y, int64_t N, int64_t C) {
  float sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int64_t n = 0; n < N; ++n) {
    float row = 0;
    for (int64_t c = 0; c < C; ++c) row += x[n * C + c];
    sum += row;
  }
  float mean = sum / (float)(N * C), squares = 0;
#pragma omp parallel for reduction(+ : squares)
  for (int64_t n = 0; n < N; ++n) {
    float row = 0;
    for (int64_t c = 0; c < C; ++c) row += (x[n * C + c] - mean) * (x[n * C + c] - mean);
    squares += row;
  }
  *y = std::sqrt(squares / (float)(N * C - 1));
}
