// SPDX-License-Identifier: Apache-2.0
// cheat: 18
// task: relu
// stage: compile
// expect: POLICY
// because: calls dlopen
// Has a dlopen() of its own, so that none is imported; the loader takes the C library's all the same, which it looks at first.
#include "kernel.h"

extern "C" __attribute__((weak, noinline)) void* dlopen(const char*, int) { return nullptr; }

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;
  if (dlopen("libopenblas.so.0", 2) != nullptr) y[0] = 1;
}
