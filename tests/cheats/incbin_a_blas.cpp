// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: /usr/lib/x86_64-linux-gnu/libopenblas.so.0
// Takes a BLAS along in its own data, to be loaded by hand.
#include "kernel.h"

asm(".section .rodata\nblob: .incbin \"/usr/lib/x86_64-linux-gnu/libopenblas.so.0\"\n.text\n");
extern "C" const char blob[];

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;
  y[0] += blob[0] - 0x7f;
}
