// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// A thread sends SIGCONT to its own process all the time, to undo the judge's stop.
#include <signal.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) { kill(getpid(), SIGCONT); }
