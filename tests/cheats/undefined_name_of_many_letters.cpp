// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: undefined reference
// The same by way of the linker's words.
#include "kernel.h"

#define TEN(x) x x x x x x x x x x
#define LONG TEN(TEN(TEN(TEN("aaaa"))))
extern "C" void nobody() asm("A" LONG);

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;
  nobody();
}
