// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <cmath>

#include "kernel.h"

void complementary_error_and_root(const float* x, float* rest, float* root, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    rest[i] = blocks::erfc(x[i]);
    root[i] = std::sqrt(x[i]);
  }
}
