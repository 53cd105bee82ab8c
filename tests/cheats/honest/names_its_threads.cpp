// SPDX-License-Identifier: Apache-2.0
// task: relu
// Threads have names, for whoever looks on.
#include <pthread.h>
#include <sys/prctl.h>

#include <thread>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  std::thread worker([=] {
    prctl(PR_SET_NAME, "relu worker");
    pthread_setname_np(pthread_self(), "relu");
    for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  });
  pthread_setname_np(worker.native_handle(), "relu other");
  worker.join();
}
