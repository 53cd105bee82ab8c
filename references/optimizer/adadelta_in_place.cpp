// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

extern "C" void adadelta_in_place(float* param, float* square, float* delta, const float* grad, int64_t N) {
  constexpr float kEpsilon = 1e-6f;
#pragma omp parallel for simd
  for (int64_t i = 0; i < N; ++i) {
    square[i] = 0.9f * square[i] + 0.1f * (grad[i] * grad[i]);
    const float update = std::sqrt(delta[i] + kEpsilon) / std::sqrt(square[i] + kEpsilon) * grad[i];
    delta[i] = 0.9f * delta[i] + 0.1f * (update * update);
    param[i] -= update;
  }
}
