// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void scatter_add(const float* x, const int64_t* indices, const float* updates, float* y, int64_t N, int64_t M, int64_t K) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t m = 0; m < M; ++m) y[n * M + m] = x[n * M + m];
    for (int64_t k = 0; k < K; ++k) y[n * M + indices[n * K + k]] += updates[n * K + k];
  }
}
