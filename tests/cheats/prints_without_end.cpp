// SPDX-License-Identifier: Apache-2.0
// cheat: 48
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Sixty megabytes of output to drown the verdict or to fill a disk.
#include <unistd.h>

#include <cstring>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  static char line[1 << 20];
  std::memset(line, '\a', sizeof line);
  for (int i = 0; i < 2; ++i)
    if (write(1, line, sizeof line) < 0 || write(2, line, sizeof line) < 0) return;
}
