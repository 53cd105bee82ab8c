// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include "kernel.h"

void logarithm_of_one_plus(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = blocks::log1p(x[i]);
}
