// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void masked_add(const float* grad, const float* p, const bool* mask, float* y, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = mask[i] ? grad[i] : grad[i] + 0.5f * p[i];
}
