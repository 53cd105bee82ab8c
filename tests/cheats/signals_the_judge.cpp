// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// A kernel that can signal its parent can stop or kill the judge. Signal 0 asks for the right to, and would
// hurt nobody if a sandbox leaked.
#include <signal.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  if (kill(getppid(), 0) != 0) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
