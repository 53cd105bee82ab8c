// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "kernel.h"

extern "C" void is_finite(const float* x, bool* y, float* z, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t i = 0; i < N * C; ++i) {
    y[i] = std::fabs(x[i]) <= std::numeric_limits<float>::max();
    z[i] = y[i] ? x[i] : 0.0f;
  }
}
