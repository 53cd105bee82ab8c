// SPDX-License-Identifier: Apache-2.0
// cheat: 1
// task: relu
// stage: test
// expect: CRASH
// because: ended the process
// Leaves with status 0, which a runner of tests takes for a pass. A call that does not come back has no
// outputs.
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) { _exit(0); }
