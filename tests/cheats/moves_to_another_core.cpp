// SPDX-License-Identifier: Apache-2.0
// cheat: 33
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Leaves the cores that it was given, for the judge's or all of them.
#include <sched.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int cpu = 0; cpu < 64; ++cpu) CPU_SET(cpu, &all);
  sched_setaffinity(0, sizeof all, &all);
}
