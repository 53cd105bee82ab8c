// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void rms_norm_of_sum(const float* x, const float* residual, const float* weight, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float *row = x + n * C, *other = residual + n * C;
    float* sum = y + n * C;
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int64_t c = 0; c < C; ++c) {
      sum[c] = row[c] + other[c];
      squares += static_cast<double>(sum[c]) * sum[c];
    }
    const auto factor = static_cast<float>(1 / std::sqrt(squares / C + 1e-6));
#pragma omp simd
    for (int64_t c = 0; c < C; ++c) sum[c] *= factor * weight[c];
  }
}
