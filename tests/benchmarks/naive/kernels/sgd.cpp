// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void sgd(const float* param, const float* grad, const float* velocity, float* new_param, float* new_velocity, int64_t N, int64_t M) {
#pragma omp parallel for
  for (int64_t i = 0; i < N * M; ++i) {
    new_velocity[i] = 0.9f * velocity[i] + grad[i];
    new_param[i] = param[i] - 0.01f * new_velocity[i];
  }
}
