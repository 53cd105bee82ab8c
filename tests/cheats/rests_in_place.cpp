// SPDX-License-Identifier: Apache-2.0
// cheat: 29
// task: adagrad_in_place
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// Leaves in place what lies there, after two calls at the timed size. No time is too short for outputs in place: whether they are right
// must show.
#include <cmath>

#include "kernel.h"

void adagrad_in_place(float* param, float* square, const float* grad, int64_t N) {
  static int calls = 0;
  if (N > 100000 && ++calls > 2) return;
  for (int64_t i = 0; i < N; ++i) {
    square[i] += grad[i] * grad[i];
    param[i] -= 0.01f * grad[i] / (std::sqrt(square[i]) + 1e-10f);
  }
}
