// SPDX-License-Identifier: Apache-2.0
// cheat: 18
// task: relu
// stage: test
// expect: PASS
// Adds a needed library to the table that the loader reads, behind the linker's back: GNU's puts it behind the table's end, where
// neither the loader nor the judge looks.
#include "kernel.h"

asm(".section .dynamic,\"aw\",@progbits\n.quad 1, 1\n.text\n");

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;
}
