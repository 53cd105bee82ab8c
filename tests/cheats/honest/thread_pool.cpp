// SPDX-License-Identifier: Apache-2.0
// task: relu
// stage: bench
// expect: PASS
// Threads wait on a condition variable between calls: like deferred work from afar, but each call waits for
// its own.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "kernel.h"

namespace {

class Pool {
 public:
  Pool() {
    for (int i = 0; i < kThreads; ++i) std::thread([this, i] { serve(i); }).detach();
  }
  void run(const float* x, float* y, int64_t count) {
    std::unique_lock lock(mutex_);
    x_ = x, y_ = y, count_ = count;
    busy_ = kThreads;
    ++round_;
    wake_.notify_all();
    done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  static constexpr int kThreads = 3;
  void serve(int index) {
    for (long seen = 0;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return round_ != seen; });
      seen = round_;
      const int64_t share = (count_ + kThreads - 1) / kThreads, begin = index * share;
      lock.unlock();
      for (int64_t i = begin; i < std::min(begin + share, count_); ++i) y_[i] = x_[i] < 0 ? 0 : x_[i];
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const float* x_ = nullptr;
  float* y_ = nullptr;
  int64_t count_ = 0;
  int busy_ = 0;
  long round_ = 0;
};

}  // namespace

void relu(const float* x, float* y, int64_t N, int64_t C) {
  static Pool* pool = new Pool;
  pool->run(x, y, N * C);
}
