// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void global_average_pooling_2d(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t c = 0; c < C; ++c) {
      double sum = 0;
      for (int64_t h = 0; h < H; ++h) {
        for (int64_t w = 0; w < W; ++w) sum += x[((n * C + c) * H + h) * W + w];
      }
      y[n * C + c] = sum / (H * W);
    }
  }
}
