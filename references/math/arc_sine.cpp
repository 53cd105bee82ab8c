// SPDX-License-Identifier: Apache-2.0
#include "blocks/trigonometry.h"

#include "kernel.h"

void arc_sine(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = blocks::asin(x[i]);
}
