// SPDX-License-Identifier: Apache-2.0
// cheat: 48
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// As many processes as it gets; eight at most, so that a leaking sandbox leaves the machine alive.
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  for (int i = 0; i < 8; ++i)
    if (fork() == 0) _exit(0);
}
