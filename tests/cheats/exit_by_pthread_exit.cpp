// SPDX-License-Identifier: Apache-2.0
// cheat: 10
// task: relu
// stage: test
// expect: CRASH
// because: ended the process
// Ends the thread that serves calls, so that no case is ever finished: nothing failed, a counter of failures
// says.
#include <pthread.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) { pthread_exit(nullptr); }
