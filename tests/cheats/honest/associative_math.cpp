// SPDX-License-Identifier: Apache-2.0
// task: sgd
// Lets the compiler reorder sums and contract products: other roundings, inside the bound.
#pragma GCC optimize("associative-math", "no-signed-zeros", "no-trapping-math", "reciprocal-math")
#include "kernel.h"

void sgd(const float* param, const float* grad, const float* velocity, float* new_param, float* new_velocity,
         int64_t N, int64_t M) {
  for (int64_t i = 0; i < N * M; ++i) {
    const float speed = velocity[i] * 0.9f + grad[i];
    new_velocity[i] = speed;
    new_param[i] = param[i] - speed * 0.01f;
  }
}
