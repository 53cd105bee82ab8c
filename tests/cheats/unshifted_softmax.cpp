// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: softmax
// stage: test
// expect: WRONG_RESULT
// because: special: y[
// Leaves out the maximum: a pass less, and infinite where a logit is large.
#include <cmath>

#include "kernel.h"

void softmax(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t n = 0; n < N; ++n, x += C, y += C) {
    float sum = 0;
    for (int64_t c = 0; c < C; ++c) sum += y[c] = std::exp(x[c]);
    for (int64_t c = 0; c < C; ++c) y[c] /= sum;
  }
}
