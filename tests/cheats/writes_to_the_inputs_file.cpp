// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Writes zeros through the descriptor of the inputs instead of a mapping.
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  const char zeros[64] = {};
  pwrite(5, zeros, sizeof zeros, 0);
}
