// SPDX-License-Identifier: Apache-2.0
// cheat: 43
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// clone3 takes its flags from memory, out of a filter's sight. It is answered as by a kernel that lacks it.
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  uint64_t arguments[11] = {};
  if (syscall(SYS_clone3, arguments, sizeof arguments) == 0) _exit(0);
}
