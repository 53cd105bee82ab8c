// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// The same by the assembler, whose own words come last.
#include "kernel.h"

asm(".print \"g++: fatal error: Killed signal terminated program cc1plus\\ncompilation terminated.\"\n.err\n");

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;
}
