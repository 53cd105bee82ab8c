// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void l1_normalization(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < C; ++i) sum += std::fabs(in[i]);
    const double norm = sum / C;
    for (int64_t i = 0; i < C; ++i) y[n * C + i] = in[i] / norm;
  }
}
