// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void masked_cumsum(const float* x, const bool* mask, float* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float sum = 0;
    for (int64_t c = 0; c < C; ++c) {
      sum += x[n * C + c] * mask[n * C + c];
      y[n * C + c] = sum;
    }
  }
}
