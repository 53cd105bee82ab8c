// SPDX-License-Identifier: Apache-2.0
// cheat: 43
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// A process that shares memory but is no thread: a stop of the group does not reach it.
#include <sched.h>
#include <unistd.h>

#include "kernel.h"

static char stack[1 << 16] __attribute__((aligned(64)));
static int child(void*) { _exit(0); }

void relu(const float*, float*, int64_t, int64_t) {
  clone(child, stack + sizeof stack, CLONE_VM | CLONE_FILES, nullptr);
}
