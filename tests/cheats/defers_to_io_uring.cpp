// SPDX-License-Identifier: Apache-2.0
// cheat: 24
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// Kernel threads of an io_uring go on while the process is stopped.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "kernel.h"

void relu(const float*, float* y, int64_t, int64_t) {
  char parameters[256];
  std::memset(parameters, 0, sizeof parameters);
  y[0] = static_cast<float>(syscall(SYS_io_uring_setup, 8, parameters));
}
