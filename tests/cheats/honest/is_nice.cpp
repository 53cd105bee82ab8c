// SPDX-License-Identifier: Apache-2.0
// task: relu
// Runs behind everybody else, where it may.
#include <sched.h>
#include <unistd.h>

#include "kernel.h"

__attribute__((constructor)) static void step_back() {
  [[maybe_unused]] const int now = nice(1);
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  sched_param none{};
  sched_setscheduler(0, SCHED_BATCH, &none);
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
