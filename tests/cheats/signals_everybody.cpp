// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// All processes that may be signalled at once, the other candidates' among them. Signal 0, as above:
// harmless.
#include <signal.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  if (kill(-1, 0) != 0) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
