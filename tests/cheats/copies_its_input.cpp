// SPDX-License-Identifier: Apache-2.0
// cheat: 20
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: : got -<number>, expected 0 (error
// Hands the input back.
#include <cstring>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  std::memcpy(y, x, static_cast<size_t>(N * C * 4));
}
