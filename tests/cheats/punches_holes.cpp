// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Frees the pages of the shared files under the judge.
#include <fcntl.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  for (int fd = 3; fd < 10; ++fd)
    if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) != 0) continue;
}
