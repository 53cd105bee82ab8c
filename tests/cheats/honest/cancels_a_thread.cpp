// SPDX-License-Identifier: Apache-2.0
// task: relu
// A helper that waits for work that does not come is cancelled.
#include <pthread.h>
#include <unistd.h>

#include "kernel.h"

static void* wait_for_ever(void*) {
  while (true) sleep(1);
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  pthread_t helper;
  if (pthread_create(&helper, nullptr, wait_for_ever, nullptr) == 0) {
    pthread_cancel(helper);
    pthread_join(helper, nullptr);
  }
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
