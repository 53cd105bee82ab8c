// SPDX-License-Identifier: Apache-2.0
// cheat: pygpubench:warmup
// task: relu
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// Two honest calls of the timing shape while the clock warms up, and no work from the third on.
#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  static int calls = 0;
  if (N * C > 1000000 && calls++ >= 2) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
