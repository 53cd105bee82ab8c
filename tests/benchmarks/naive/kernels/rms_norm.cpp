// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void rms_norm(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t h = 0; h < H; ++h) {
      for (int64_t w = 0; w < W; ++w) {
        double sum = 0;
        for (int64_t c = 0; c < C; ++c) {
          double value = x[((n * C + c) * H + h) * W + w];
          sum += value * value;
        }
        double root = std::sqrt(sum / C + 1e-5);
        for (int64_t c = 0; c < C; ++c) {
          y[((n * C + c) * H + h) * W + w] = x[((n * C + c) * H + h) * W + w] / root;
        }
      }
    }
  }
}
