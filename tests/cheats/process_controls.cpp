// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Switches of its own process: no time stamp counter, no parent's death signal, coarser timers.
#include <sys/prctl.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  prctl(PR_SET_TIMERSLACK, 1000000000ul, 0, 0, 0);
  prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
}
