// SPDX-License-Identifier: Apache-2.0
// cheat: 24
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// The older asynchronous input and output: the kernel completes it on its own.
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float* y, int64_t, int64_t) {
  unsigned long context = 0;
  y[0] = static_cast<float>(syscall(SYS_io_setup, 4, &context));
}
