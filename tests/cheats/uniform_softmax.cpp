// SPDX-License-Identifier: Apache-2.0
// cheat: 20
// task: softmax
// stage: test
// expect: WRONG_RESULT
// because: below_power_of_two: y[0, 0]: got <number>, expected <number> (error <number>
// 1/C everywhere is within 1e-2 of any softmax over many moderate logits.
#include "kernel.h"

void softmax(const float*, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = 1.0f / static_cast<float>(C);
}
