// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void addition(const float* a, const float* b, float* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t i = 0; i < N * C; ++i) y[i] = a[i] + b[i];
}
