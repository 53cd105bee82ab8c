// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// SIGKILL to its own thread: an end that would look like an administrator's.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) { syscall(SYS_tgkill, getpid(), gettid(), SIGKILL); }
