// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void index_select_columns(const float* x, const int64_t* position, float* y, int64_t N, int64_t C, int64_t K) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t k = 0; k < K; ++k) y[n * K + k] = x[n * C + position[k]];
}
