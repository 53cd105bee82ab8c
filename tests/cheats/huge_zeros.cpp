// SPDX-License-Identifier: Apache-2.0
// cheat: 49
// task: relu
// stage: test
// expect: CRASH
// because: cannot be loaded
// Eight gigabytes of zeros cost no space in the library, and more address space than a box has.
#include "kernel.h"

asm(".bss\n.globl huge_zeros\nhuge_zeros: .zero 8000000000\n.text\n");

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
