// SPDX-License-Identifier: Apache-2.0
// task: cumsum_reverse
// C++20's own means: jthread, barrier, latch, counting_semaphore, atomic wait.
#include <atomic>
#include <barrier>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

#include "kernel.h"

void cumsum_reverse(const float* x, float* y, int64_t N, int64_t C) {
  constexpr int kThreads = 3;
  std::barrier both(kThreads);
  std::latch finished(kThreads);
  std::counting_semaphore<kThreads> turns(2);
  std::atomic<int> left{kThreads};
  std::vector<std::jthread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      both.arrive_and_wait();
      turns.acquire();
      for (int64_t n = t; n < N; n += kThreads) {
        double sum = 0;
        for (int64_t c = C - 1; c >= 0; --c) y[n * C + c] = static_cast<float>(sum += x[n * C + c]);
      }
      turns.release();
      if (--left == 0) left.notify_all();
      finished.count_down();
    });
  for (int now = left; now != 0; now = left) left.wait(now);
  finished.wait();
}
