// SPDX-License-Identifier: Apache-2.0
// task: relu
// Counts its own page faults and processor time.
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  rusage own{};
  tms ticks{};
  timespec now{};
  getrusage(RUSAGE_SELF, &own);
  times(&ticks);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  if (own.ru_minflt < 0) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
