// SPDX-License-Identifier: Apache-2.0
// task: relu
// pthread_kill() with the signal 0.
#include <pthread.h>
#include <signal.h>

#include <thread>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  std::thread worker([=] {
    for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  });
  [[maybe_unused]] const int alive = pthread_kill(worker.native_handle(), 0);
  worker.join();
}
