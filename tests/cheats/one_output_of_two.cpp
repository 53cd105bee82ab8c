// SPDX-License-Identifier: Apache-2.0
// cheat: 39
// task: sgd
// stage: test
// expect: WRONG_RESULT
// because: smallest: new_velocity[0, 0]: got nan
// Computes the first output and leaves the second.
#include "kernel.h"

void sgd(const float* param, const float* grad, const float* velocity, float* new_param, float*, int64_t N,
         int64_t M) {
  for (int64_t i = 0; i < N * M; ++i) new_param[i] = param[i] - 0.01f * (0.9f * velocity[i] + grad[i]);
}
