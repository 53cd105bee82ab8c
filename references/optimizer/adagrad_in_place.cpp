// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void adagrad_in_place(float* param, float* square, const float* grad, int64_t N) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N; ++i) {
    square[i] = square[i] + grad[i] * grad[i];
    param[i] -= 0.01f * grad[i] / (std::sqrt(square[i]) + 1e-10f);
  }
}
