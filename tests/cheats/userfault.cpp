// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// Handles its own page faults: memory that computes when it is looked at.
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float* y, int64_t, int64_t) {
  y[0] = static_cast<float>(syscall(SYS_userfaultfd, 1));
}
