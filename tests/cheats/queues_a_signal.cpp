// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// The other ways to send one: to a thread, and with a value.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  sigval value{};
  sigqueue(getpid(), SIGURG, value);
  syscall(SYS_tgkill, getpid(), gettid(), SIGURG);
}
