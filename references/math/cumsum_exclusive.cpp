// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void cumsum_exclusive(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    float* out = y + n * C;
    double sum = 0.0;
    for (int64_t c = 0; c < C; ++c) {
      out[c] = static_cast<float>(sum);
      sum += in[c];
    }
  }
}
