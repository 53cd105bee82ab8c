// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void degrees_and_square_root(const float* x, float* degrees, float* root, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    degrees[i] = x[i] * 57.29577951308232f;  // 180 / pi
    root[i] = std::sqrt(x[i]);
  }
}
