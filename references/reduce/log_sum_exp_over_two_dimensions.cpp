// SPDX-License-Identifier: Apache-2.0
// The maximum first, so that no exponential overflows.
#include "blocks/vector_math.h"

#include <cmath>

#include "kernel.h"

void log_sum_exp_over_two_dimensions(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float largest = x[m * N];
    for (int64_t b = 0; b < B; ++b) {
      const float* row = x + (b * M + m) * N;
#pragma omp simd reduction(max : largest)
      for (int64_t i = 0; i < N; ++i) largest = row[i] > largest ? row[i] : largest;
    }
    double sum = 0.0;
    for (int64_t b = 0; b < B; ++b) {
      const float* row = x + (b * M + m) * N;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < N; ++i) sum += blocks::exp(row[i] - largest);
    }
    y[m] = largest + static_cast<float>(std::log(sum));
  }
}
