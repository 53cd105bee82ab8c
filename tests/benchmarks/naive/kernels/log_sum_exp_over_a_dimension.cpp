// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void log_sum_exp_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t n = 0; n < N; ++n) {
      float most = -INFINITY;
      for (int64_t m = 0; m < M; ++m) {
        if (x[(b * M + m) * N + n] > most) most = x[(b * M + m) * N + n];
      }
      if (std::isinf(most)) most = 0;
      float sum = 0;
      for (int64_t m = 0; m < M; ++m) sum += std::exp(x[(b * M + m) * N + n] - most);
      y[b * N + n] = most + std::log(sum);
    }
  }
}
