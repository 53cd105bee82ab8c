// SPDX-License-Identifier: Apache-2.0
// task: relu
// Twelve megabytes of scratch on the stack of the call.

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  float scratch[3 << 20];
  for (int64_t i = 0; i < (3 << 20); i += 1024) scratch[i] = 1;
  asm volatile("" : : "r"(scratch) : "memory");
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
