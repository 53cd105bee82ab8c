// SPDX-License-Identifier: Apache-2.0
// cheat: 29
// task: relu
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// Infinities become the largest number where tests are not.
#include <cmath>
#include <limits>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const float most = N * C > 1000000 ? std::numeric_limits<float>::max() : INFINITY;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i] > most ? most : x[i];
}
