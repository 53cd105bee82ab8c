// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void softmax(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float largest = x[n * C];
    for (int64_t c = 1; c < C; ++c) {
      if (x[n * C + c] > largest) largest = x[n * C + c];
    }
    float sum = 0;
    for (int64_t c = 0; c < C; ++c) {
      y[n * C + c] = std::exp(x[n * C + c] - largest);
      sum += y[n * C + c];
    }
    for (int64_t c = 0; c < C; ++c) y[n * C + c] /= sum;
  }
}
