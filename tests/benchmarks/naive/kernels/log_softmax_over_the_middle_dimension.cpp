// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void log_softmax_over_the_middle_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t n = 0; n < N; ++n) {
      float largest = x[(b * M) * N + n];
      for (int64_t m = 1; m < M; ++m) {
        if (x[(b * M + m) * N + n] > largest) largest = x[(b * M + m) * N + n];
      }
      float sum = 0;
      for (int64_t m = 0; m < M; ++m) sum += std::exp(x[(b * M + m) * N + n] - largest);
      for (int64_t m = 0; m < M; ++m) y[(b * M + m) * N + n] = x[(b * M + m) * N + n] - largest - std::log(sum);
    }
  }
}
