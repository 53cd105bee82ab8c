// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void layer_norm(const float* x, const float* scale, const float* bias, float* y, int64_t N, int64_t C, int64_t H, int64_t W) {
  int64_t size = C * H * W;
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    double mean = 0;
    for (int64_t i = 0; i < size; ++i) mean += x[n * size + i];
    mean /= size;
    double variance = 0;
    for (int64_t i = 0; i < size; ++i) variance += (x[n * size + i] - mean) * (x[n * size + i] - mean);
    variance /= size;
    double root = std::sqrt(variance + 1e-5);
    for (int64_t i = 0; i < size; ++i) y[n * size + i] = (x[n * size + i] - mean) / root * scale[i] + bias[i];
  }
}
