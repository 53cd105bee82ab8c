// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void momentum_in_place(float* param, float* velocity, const float* grad, int64_t N) {
#pragma omp parallel for simd
  for (int64_t i = 0; i < N; ++i) {
    const float decayed = grad[i] + 0.01f * param[i];
    velocity[i] = 0.9f * velocity[i] + decayed;
    param[i] -= 0.01f * (decayed + 0.9f * velocity[i]);
  }
}
