// SPDX-License-Identifier: Apache-2.0
// task: relu
// What the scheduler may do with it: policies, priorities, time slices.
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  int policy = 0;
  sched_param parameter{};
  pthread_getschedparam(pthread_self(), &policy, &parameter);
  parameter.sched_priority = sched_get_priority_min(policy) + (sched_get_priority_max(policy) - sched_get_priority_min(policy)) / 2;
  timespec slice{};
  sched_rr_get_interval(0, &slice);
  if (getpriority(PRIO_PROCESS, 0) > 19 || sched_getscheduler(0) < 0) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
