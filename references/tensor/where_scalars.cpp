// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void where_scalars(const bool* condition, float* y, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = condition[i] ? 1.0f : 0.0f;
}
