// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Cuts the shared files short: the judge would die of a bus error while it reads them.
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  for (int fd = 3; fd < 10; ++fd)
    if (ftruncate(fd, 0) != 0) continue;
}
