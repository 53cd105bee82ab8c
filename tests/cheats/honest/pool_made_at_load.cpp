// SPDX-License-Identifier: Apache-2.0
// task: relu
// A constructor starts the threads that all calls use.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "kernel.h"

namespace {

struct Pool {
  std::mutex mutex;
  std::condition_variable wake, done;
  const float* x = nullptr;
  float* y = nullptr;
  int64_t count = 0;
  long round = 0;
  bool busy = false;
  void serve() {
    for (long seen = 0;;) {
      std::unique_lock lock(mutex);
      wake.wait(lock, [&] { return round != seen; });
      seen = round;
      for (int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? 0 : x[i];
      busy = false;
      done.notify_all();
    }
  }
};
Pool* const pool = [] {
  auto* made = new Pool;
  std::thread([made] { made->serve(); }).detach();
  return made;
}();

}  // namespace

void relu(const float* x, float* y, int64_t N, int64_t C) {
  std::unique_lock lock(pool->mutex);
  pool->x = x, pool->y = y, pool->count = N * C, pool->busy = true;
  ++pool->round;
  pool->wake.notify_all();
  pool->done.wait(lock, [] { return !pool->busy; });
}
