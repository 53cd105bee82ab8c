// SPDX-License-Identifier: Apache-2.0
// cheat: 24
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// The same by the older interface: a signal that arrives later does the work.
#include <sys/time.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  const itimerval soon{{0, 0}, {0, 1000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
}
