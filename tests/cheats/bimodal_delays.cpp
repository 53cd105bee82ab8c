// SPDX-License-Identifier: Apache-2.0
// cheat: 31
// task: relu
// stage: bench
// expect: PASS
// gains: nothing
// Now fast, now slow: a rule that stops at the first agreeing samples, or keeps the minimum, sees the fast
// ones.
#include <unistd.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
#ifndef WITHOUT_TRICK
  static int calls = 0;
  if (N * C > 1000000 && calls++ % 2 == 1) usleep(5000);
#endif
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
