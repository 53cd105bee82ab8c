// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void trilu_upper(const int64_t* x, int64_t* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j < C; ++j) y[i * C + j] = j >= i ? x[i * C + j] : 0;
}
