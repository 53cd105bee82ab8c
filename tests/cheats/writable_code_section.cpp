// SPDX-License-Identifier: Apache-2.0
// cheat: 51
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// A section that is both code and data: the library itself asks for memory that can be written and executed.
#include "kernel.h"

asm(".section .both, \"awx\", @progbits\n.globl both\nboth: ret\n.text\n");
extern "C" void both();

void relu(const float* x, float* y, int64_t N, int64_t C) {
  both();
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
