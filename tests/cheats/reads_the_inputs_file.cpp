// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Reads ahead in the inputs' file through its descriptor.
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float* y, int64_t N, int64_t C) {
  if (pread(5, y, static_cast<size_t>(N * C * 4), 0) < 0) return;
}
