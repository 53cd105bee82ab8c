// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void lion_in_place(float* param, float* momentum, const float* grad, int64_t N) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N; ++i) {
    const float direction = 0.9f * momentum[i] + 0.1f * grad[i];
    const float sign = direction > 0 ? 1.0f : direction < 0 ? -1.0f : direction;  // 0 or a NaN
    param[i] = 0.9999f * param[i] - 0.01f * sign;
    momentum[i] = 0.99f * momentum[i] + 0.01f * grad[i];
  }
}
