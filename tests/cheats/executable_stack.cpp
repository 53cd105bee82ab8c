// SPDX-License-Identifier: Apache-2.0
// cheat: 51
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// The loader is asked to make all stacks executable, and the filter ends it when it tries.
#include "kernel.h"

asm(".section .note.GNU-stack, \"x\", @progbits\n.text\n");

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
