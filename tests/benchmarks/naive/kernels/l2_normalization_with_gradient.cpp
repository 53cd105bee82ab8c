// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void l2_normalization_with_gradient(const float* x, const float* dy, float* y, float* dx, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float squares = 0, dot = 0;
    for (int64_t c = 0; c < C; ++c) {
      squares += x[n * C + c] * x[n * C + c];
      dot += dy[n * C + c] * x[n * C + c];
    }
    float r = std::sqrt(squares + 1e-6f);
    for (int64_t c = 0; c < C; ++c) {
      y[n * C + c] = x[n * C + c] / r;
      dx[n * C + c] = (dy[n * C + c] - x[n * C + c] * dot / (r * r)) / r;
    }
  }
}
