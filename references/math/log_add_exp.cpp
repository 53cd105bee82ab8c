// SPDX-License-Identifier: Apache-2.0
// The larger one and log(1 + exp(-gap)). Equal ones have no gap, also where they are infinite.
#include "blocks/vector_math.h"

#include "kernel.h"

void log_add_exp(const float* a, const float* b, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float upper = a[i] > b[i] ? a[i] : b[i], lower = a[i] > b[i] ? b[i] : a[i];
    y[i] = upper + blocks::log1p_of_unit(blocks::exp(a[i] == b[i] ? 0.0f : lower - upper));
  }
}
