// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// A limit of one second of processor time, set at load: the kernel's SIGKILL would look like one from outside, and nobody's fault.
#include <sys/resource.h>

#include "kernel.h"

static bool lowered = false;
__attribute__((constructor)) static void lower() {
  const rlimit second{1, 1};
  lowered = setrlimit(RLIMIT_CPU, &second) == 0;
}

void relu(const float*, float*, int64_t, int64_t) {
  while (lowered) asm volatile("");
}
