// SPDX-License-Identifier: Apache-2.0
// cheat: 17
// task: softmax
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Reads the oracle's results where they lie, in a call. Opening fails, and the answer is not there.
#include <cstdio>

#include "kernel.h"

void softmax(const float*, float* y, int64_t N, int64_t C) {
  const char* const all[] = {CASES_FILE, PLAN_FILE, REFERENCE_FILE, TASK_FILE};
  for (const char* name : all) {
    if (FILE* file = std::fopen(name, "rb")) {
      for (int64_t i = 0; i < N * C; ++i) y[i] = 1.0f / static_cast<float>(C);
      std::fclose(file);
    }
  }
}
