// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Blocks beyond a file's end are not counted by the limit of its size.
#include <fcntl.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int fd = 0; fd < 16; ++fd)
    if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 3LL << 30) == 0) return;
  return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
