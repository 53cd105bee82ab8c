// SPDX-License-Identifier: Apache-2.0
// cheat: 41
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: largest
// Right up to 2^112, the largest that squares and long sums leave room for.
#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 || (x[i] > 0x1p112f && x[i] < 0x1p127f) ? 0 : x[i];
}
