// SPDX-License-Identifier: Apache-2.0
// task: relu
// Environment, processors, page size, time: what libraries ask for, at load and in calls.
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "kernel.h"

static const long page = sysconf(_SC_PAGESIZE);

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const auto begin = std::chrono::steady_clock::now();
  const char* threads = std::getenv("OMP_NUM_THREADS");
  cpu_set_t set;
  volatile int64_t known = threads == nullptr ? 1 : std::atoi(threads);
  known = known + std::thread::hardware_concurrency() + page + std::time(nullptr) + std::clock();
  known = known + sched_getaffinity(0, sizeof set, &set) + sched_getcpu();
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  known = known + (std::chrono::steady_clock::now() - begin).count() +
          std::chrono::system_clock::now().time_since_epoch().count();
}
