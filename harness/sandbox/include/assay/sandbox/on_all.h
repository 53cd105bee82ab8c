// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "assay/sandbox/processors.h"

namespace assay::sandbox {

/// work(i) for each i below `count`, on a thread for each of `cpus`, of `count` threads at most. An exception leaves.
template <class Work>
void on_all(const std::vector<int>& cpus, std::size_t count, Work work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex failing;
  const auto run = [&](int cpu) {
    try {
      pin_to(cpu);
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(failing);
      failed = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(cpus.size(), count); ++i) threads.emplace_back(run, cpus[i]);
  }
  if (failed) std::rethrow_exception(failed);
}

}  // namespace assay::sandbox
