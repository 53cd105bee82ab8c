// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

extern "C" void add_rms_norm_in_place(float* x, float* residual, const float* weight, int64_t N, int64_t D) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float* row = x + n * D;
    float* sum = residual + n * D;
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int64_t i = 0; i < D; ++i) {
      sum[i] += row[i];
      squares += static_cast<double>(sum[i]) * sum[i];
    }
    const auto factor = static_cast<float>(1 / std::sqrt(squares / D + 1e-6));
#pragma omp simd
    for (int64_t i = 0; i < D; ++i) row[i] = sum[i] * factor * weight[i];
  }
}
