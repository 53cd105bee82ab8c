// SPDX-License-Identifier: Apache-2.0
// The squares do not overflow in double.
#include <cmath>

#include "kernel.h"

void l2_norm_of_rows(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += static_cast<double>(row[c]) * row[c];
    y[n] = static_cast<float>(std::sqrt(sum));
  }
}
