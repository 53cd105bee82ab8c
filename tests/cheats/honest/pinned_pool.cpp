// SPDX-License-Identifier: Apache-2.0
// task: relu
// A pool whose threads are pinned to processors, as most pools are; where that is refused they run wherever they may.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const int64_t count = N * C, threads = std::max(1u, std::thread::hardware_concurrency()), share = (count + threads - 1) / threads;
  std::vector<std::thread> pool;
  for (int64_t t = 0; t < threads; ++t) {
    pool.emplace_back([=] {
      for (int64_t i = t * share; i < std::min(count, (t + 1) * share); ++i) y[i] = x[i] < 0 ? 0 : x[i];
    });
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(t, &one);
    pthread_setaffinity_np(pool.back().native_handle(), sizeof one, &one);
  }
  for (std::thread& thread : pool) thread.join();
}
