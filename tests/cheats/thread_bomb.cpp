// SPDX-License-Identifier: Apache-2.0
// cheat: 48
// task: relu
// stage: test
// expect: WRONG_RESULT|MEMORY_LIMIT
// because: smallest: y[0, 0]: got nan
// because: more memory than the limit
// As many threads as it gets, each asleep. The limits on memory and tasks stop it, not the judge. On machines of
// many processors the C library gives each thread an arena, and memory may end first.
#include <pthread.h>
#include <unistd.h>

#include "kernel.h"

static void* sleep_on(void*) {
  sleep(100);
  return nullptr;
}

void relu(const float*, float*, int64_t, int64_t) {
  pthread_t thread;
  for (int i = 0; i < 2000; ++i)
    if (pthread_create(&thread, nullptr, sleep_on, nullptr) != 0) return;
}
