// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void mse_loss(const float* x, const float* t, float* y, int64_t N, int64_t C) {
  double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const double difference = static_cast<double>(x[i]) - t[i];
    sum += difference * difference;
  }
  y[0] = static_cast<float>(sum / static_cast<double>(N * C));
}
