// SPDX-License-Identifier: Apache-2.0
// task: relu
// The loading thread is bound to one processor, and freed again.
#include <sched.h>

#include "kernel.h"

__attribute__((constructor)) static void pin() {
  cpu_set_t before, one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  if (sched_getaffinity(0, sizeof before, &before) != 0) return;
  if (sched_setaffinity(0, sizeof one, &one) == 0) sched_setaffinity(0, sizeof before, &before);
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
