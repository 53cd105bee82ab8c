// SPDX-License-Identifier: Apache-2.0
// One pass over all five arrays: limited by memory, so the four operators of the model cost one trip.
#include <cstdint>

#include "kernel.h"

extern "C" void sgd(const float* param, const float* grad, const float* velocity, float* new_param,
                    float* new_velocity, int64_t N, int64_t M) {
#pragma omp parallel for simd
  for (int64_t i = 0; i < N * M; ++i) {
    const float speed = 0.9f * velocity[i] + grad[i];
    new_velocity[i] = speed;
    new_param[i] = param[i] - 0.01f * speed;
  }
}
