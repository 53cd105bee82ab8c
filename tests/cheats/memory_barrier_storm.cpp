// SPDX-License-Identifier: Apache-2.0
// cheat: 33
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Barriers that interrupt every core of the machine, the baseline's and the judge's among them.
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  constexpr int global = 1;
  for (int i = 0; i < 10; ++i) syscall(SYS_membarrier, global, 0, 0);
}
