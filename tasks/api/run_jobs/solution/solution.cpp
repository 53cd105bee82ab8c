// SPDX-License-Identifier: Apache-2.0
#include "run_jobs.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

void run_jobs(const std::vector<std::function<void()>>& jobs, int threads) {
  std::vector<std::exception_ptr> failures(jobs.size());
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < std::min<std::size_t>(threads, jobs.size()); ++i)
      workers.emplace_back([&] {
        for (std::size_t job = next++; job < jobs.size(); job = next++) try {
            jobs[job]();
          } catch (...) {
            failures[job] = std::current_exception();
          }
      });
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}
