// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t n = 0; n < N; ++n) {
      double sum = 0;
      for (int64_t m = 0; m < M; ++m) sum += x[(b * M + m) * N + n];
      y[b * N + n] = sum;
    }
  }
}
