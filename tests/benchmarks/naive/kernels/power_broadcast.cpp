// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void power_broadcast(const float* x, const float* exponent, float* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t c = 0; c < C; ++c) y[n * C + c] = std::pow(x[n * C + c], exponent[c]);
  }
}
