// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void scale_by_power_of_two(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] * 0x1p112f;
}
