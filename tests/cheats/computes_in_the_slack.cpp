// SPDX-License-Identifier: Apache-2.0
// cheat: 38
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: wrote before the first element
// Uses the room before the output, up to its page's beginning, as scratch memory and leaves it changed.
#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  volatile float* scratch = y - 4;
  for (int64_t i = 0; i < N * C; ++i) {
    scratch[i % 4] = x[i];
    y[i] = x[i] < 0 ? 0 : x[i];
  }
}
