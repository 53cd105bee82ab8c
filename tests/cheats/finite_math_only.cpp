// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// Promises the compiler that there are no NaNs, and loses those that there are.
#pragma GCC optimize("finite-math-only")
#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 ? x[i] : 0;
}
