// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void l1_norm_of_all(const float* x, float* y, int64_t N, int64_t C) {
  double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (int64_t i = 0; i < N * C; ++i) sum += std::fabs(x[i]);
  y[0] = static_cast<float>(sum);
}
