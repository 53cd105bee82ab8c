// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void arithmetic_progression(const float* start, const float* step, float* y, int64_t N) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N; ++i) y[i] = *start + static_cast<float>(i) * *step;
}
