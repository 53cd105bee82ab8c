// SPDX-License-Identifier: Apache-2.0
// cheat: 41
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: expected inf
// Keeps everything finite, which is right for every input that a random generator draws.
#include <algorithm>
#include <limits>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = std::clamp(x[i], 0.0f, std::numeric_limits<float>::max());
}
