// SPDX-License-Identifier: Apache-2.0
// cheat: 43
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// A child survives the call and goes on while the parent is frozen.
#include <unistd.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  if (fork() == 0) {
    for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
    _exit(0);
  }
}
