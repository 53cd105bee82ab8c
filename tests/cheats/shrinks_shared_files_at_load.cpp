// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// The same, and punched holes, while the library is loaded. The files' seals refuse a change of size; holes
// in the outputs before the first call change nothing.
#include <fcntl.h>
#include <unistd.h>

#include "kernel.h"

static bool shrunk = false;
__attribute__((constructor)) static void prepare() {
  for (int fd = 3; fd < 10; ++fd) {
    shrunk = shrunk || ftruncate(fd, 0) == 0 || ftruncate(fd, 1 << 28) == 0;
    if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 20) != 0) continue;
  }
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; shrunk && i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
