// SPDX-License-Identifier: Apache-2.0
// cheat: 41
// task: cumsum_reverse
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Computes the shape that the task publishes for timing, and no other.
#include "kernel.h"

void cumsum_reverse(const float* x, float* y, int64_t N, int64_t C) {
  if (N != 512 || C != 4096) return;
  for (int64_t n = 0; n < N; ++n) {
    double sum = 0;
    for (int64_t c = C - 1; c >= 0; --c) y[n * C + c] = static_cast<float>(sum += x[n * C + c]);
  }
}
