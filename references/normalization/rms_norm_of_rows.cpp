// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void rms_norm_of_rows(const float* x, const float* weight, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    double squares = 0;
    for (int64_t c = 0; c < C; ++c) squares += static_cast<double>(row[c]) * row[c];
    const float root = static_cast<float>(std::sqrt(squares / static_cast<double>(C) + 1e-6));
    for (int64_t c = 0; c < C; ++c) y[n * C + c] = row[c] / root * weight[c];
  }
}
