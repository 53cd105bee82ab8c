// SPDX-License-Identifier: Apache-2.0
// cheat: 29
// task: relu
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// Tests use small shapes, timing a large one: large ones are not computed. Every timed call is checked.
#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C && N * C < 1000000; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
