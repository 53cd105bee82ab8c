// SPDX-License-Identifier: Apache-2.0
// cheat: 39
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: 99]: got 0, expected 
// Leaves one element in a hundred at zero, where some suites let one per cent be wrong.
#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = i % 100 == 99 || x[i] < 0 ? 0 : x[i];
}
