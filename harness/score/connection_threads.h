// SPDX-License-Identifier: Apache-2.0
// A thread for each connection that waits for a verdict. They are made when they are needed, and no more than a limit: further connections
// wait outside, where they take neither thread nor descriptor.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace assay::score {

class ConnectionThreads {
 public:
  explicit ConnectionThreads(std::size_t most) : most_(most) {}
  ~ConnectionThreads() { finish(); }
  ConnectionThreads(const ConnectionThreads&) = delete;
  ConnectionThreads& operator=(const ConnectionThreads&) = delete;

  /// Waits for a free thread where there are as many as may be.
  void run(std::function<void()> work) {
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [&] { return work_.size() + busy_ < most_; });
    work_.push_back(std::move(work));
    if (work_.size() + busy_ > threads_.size()) threads_.emplace_back([this] { serve(); });
    came_.notify_one();
  }

  /// Waits for all work.
  void finish() {
    {
      const std::lock_guard lock(mutex_);
      finished_ = true;
      came_.notify_all();
    }
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      came_.wait(lock, [&] { return finished_ || !work_.empty(); });
      if (work_.empty()) return;
      const std::function<void()> work = std::move(work_.front());
      work_.pop_front();
      ++busy_;
      lock.unlock();
      work();
      lock.lock();
      --busy_;
      freed_.notify_one();
    }
  }

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable came_, freed_;
  std::deque<std::function<void()>> work_;
  std::size_t busy_ = 0;
  bool finished_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace assay::score
