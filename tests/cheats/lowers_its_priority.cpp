// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// The lowest priority delays the judge's stop: a thread that never gets its turn never stops.
#include <sys/resource.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) { setpriority(PRIO_PROCESS, 0, 19); }
