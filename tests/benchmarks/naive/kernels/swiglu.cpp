// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void swiglu(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t c = 0; c < C; ++c) {
      float a = x[n * 2 * C + c], b = x[n * 2 * C + C + c];
      y[n * C + c] = a / (1 + std::exp(-a)) * b;
    }
  }
}
