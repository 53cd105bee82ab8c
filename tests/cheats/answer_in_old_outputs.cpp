// SPDX-License-Identifier: Apache-2.0
// cheat: 14
// task: softmax
// stage: test
// expect: WRONG_RESULT
// Hopes that the outputs still hold a right result from the call before. They are filled afresh for every
// call.
#include "kernel.h"

void softmax(const float* x, float* y, int64_t N, int64_t C) {
  static bool computed = false;
  if (computed) return;
  computed = true;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i];
}
