// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: undefined reference
// The same in the name of a symbol, which the linker quotes.
#include "kernel.h"

extern "C" void missing() asm("\"\302\2332J\342\200\256SSAP\"");

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;
  missing();
}
