// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void argmax_over_a_dimension(const float* x, int64_t* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t n = 0; n < N; ++n) {
      int64_t best = 0;
      for (int64_t m = 1; m < M; ++m) {
        if (x[(b * M + m) * N + n] > x[(b * M + best) * N + n]) best = m;
      }
      y[b * N + n] = best;
    }
  }
}
