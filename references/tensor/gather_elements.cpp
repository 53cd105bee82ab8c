// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void gather_elements(const float* x, const int64_t* position, float* y, int64_t B, int64_t M, int64_t N, int64_t K) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t i = 0; i < K; ++i) {
      const int64_t row = (b * K + i) * N;
      for (int64_t j = 0; j < N; ++j) y[row + j] = x[(b * M + position[row + j]) * N + j];
    }
}
