// SPDX-License-Identifier: Apache-2.0
// task: softmax
// Uses the output as scratch memory: unnormalised values first, and right in the end.
#include <cmath>

#include "kernel.h"

void softmax(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = -1;
  for (int64_t n = 0; n < N; ++n, x += C, y += C) {
    float highest = x[0];
    for (int64_t c = 1; c < C; ++c) highest = x[c] > highest ? x[c] : highest;
    double sum = 0;
    for (int64_t c = 0; c < C; ++c) {
      y[c] = std::exp(x[c] - highest);
      sum += y[c];
    }
    for (int64_t c = 0; c < C; ++c) y[c] = static_cast<float>(y[c] / sum);
  }
}
