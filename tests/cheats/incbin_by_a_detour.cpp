// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: /usr/lib/gcc/x86_64-linux-gnu/12/include/../../../../../lib/x86_64-linux-gnu/libstdc++.so.6.0.30
// reduced: PASS
// The same by the parent of a folder that is there. Landlock alone lets the compiler read what it links with.
#include "kernel.h"

asm(".section .rodata\nblob: .incbin \"/usr/lib/gcc/x86_64-linux-gnu/12/include/../../../../../lib/x86_64-linux-gnu/libstdc++.so.6.0.30\"\n.text\n");
extern "C" const char blob[];

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;
  y[0] += blob[0] - 0x7f;
}
