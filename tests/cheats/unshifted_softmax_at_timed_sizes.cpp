// SPDX-License-Identifier: Apache-2.0
// cheat: 29
// task: softmax
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// Leaves out the maximum where tests are not: infinite where a logit is large.
#include <algorithm>
#include <cmath>

#include "kernel.h"

void softmax(const float* x, float* y, int64_t N, int64_t C) {
  const bool timed = N * C > 300000;
  for (int64_t n = 0; n < N; ++n, x += C, y += C) {
    const float most = timed ? 0 : *std::max_element(x, x + C);
    float sum = 0;
    for (int64_t c = 0; c < C; ++c) sum += y[c] = std::exp(x[c] - most);
    for (int64_t c = 0; c < C; ++c) y[c] /= sum;
  }
}
