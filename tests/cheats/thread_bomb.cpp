// SPDX-License-Identifier: Apache-2.0
// cheat: 48
// task: relu
// stage: test
// expect: WRONG_RESULT|CRASH|MEMORY_LIMIT
// As many threads as it gets, each asleep. The limits on memory and tasks stop it, not the judge; which one
// it meets first, and whether the library or the handler reports it, depends on the machine.
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
