// SPDX-License-Identifier: Apache-2.0
// cheat: 33
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Real-time priority: nobody else runs on its core.
#include <sched.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  const sched_param high{1};
  sched_setscheduler(0, SCHED_FIFO, &high);
}
