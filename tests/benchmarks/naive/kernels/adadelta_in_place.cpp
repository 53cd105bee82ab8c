// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void adadelta_in_place(float* param, float* square, float* delta, const float* grad, int64_t N) {
#pragma omp parallel for
  for (int64_t i = 0; i < N; ++i) {
    square[i] = 0.9f * square[i] + 0.1f * (grad[i] * grad[i]);
    float update = std::sqrt(delta[i] + 1e-6f) / std::sqrt(square[i] + 1e-6f) * grad[i];
    delta[i] = 0.9f * delta[i] + 0.1f * (update * update);
    param[i] = param[i] - update;
  }
}
