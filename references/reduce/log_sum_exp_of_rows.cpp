// SPDX-License-Identifier: Apache-2.0
// The maximum first, so that no exponential overflows.
#include <algorithm>
#include <cmath>

#include "kernel.h"

void log_sum_exp_of_rows(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    const float largest = *std::max_element(row, row + C);
    double sum = 0.0;
    for (int64_t c = 0; c < C; ++c) sum += std::exp(row[c] - largest);
    y[n] = largest + static_cast<float>(std::log(sum));
  }
}
