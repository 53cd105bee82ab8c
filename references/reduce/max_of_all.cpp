// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void max_of_all(const float* x, float* y, int64_t N, int64_t C) {
  float largest = x[0];
#pragma omp parallel for simd reduction(max : largest) schedule(static)
  for (int64_t i = 0; i < N * C; ++i) largest = x[i] > largest ? x[i] : largest;
  y[0] = largest;
}
