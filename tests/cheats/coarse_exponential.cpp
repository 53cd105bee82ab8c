// SPDX-License-Identifier: Apache-2.0
// cheat: 35
// task: softmax
// stage: test
// expect: WRONG_RESULT
// because: below_power_of_two: y[0, <number>]: got <number>, expected <number> (error <number>
// The exponential by writing the exponent's bits and a linear mantissa: 3 % off, 1e-4 of a small probability.
#include <bit>
#include <cmath>

#include "kernel.h"

static float coarse(float x) {
  return x < -87 ? 0 : std::bit_cast<float>(static_cast<int32_t>(12102203.0f * x) + 1064866805);
}

void softmax(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t n = 0; n < N; ++n, x += C, y += C) {
    float highest = x[0], sum = 0;
    for (int64_t c = 1; c < C; ++c) highest = std::fmax(highest, x[c]);
    for (int64_t c = 0; c < C; ++c) sum += y[c] = coarse(x[c] - highest);
    for (int64_t c = 0; c < C; ++c) y[c] /= sum;
  }
}
