// SPDX-License-Identifier: Apache-2.0
// task: relu
// Threads tell each other of work by an eventfd, or by an atomic where there is none.
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const int event = eventfd(0, 0);
  std::atomic<bool> go{false};
  std::thread worker([&] {
    uint64_t count = 0;
    if (event < 0 || read(event, &count, sizeof count) != sizeof count) go.wait(false);
    for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  });
  const uint64_t one = 1;
  [[maybe_unused]] const bool told = event >= 0 && write(event, &one, sizeof one) == sizeof one;
  go = true;
  go.notify_all();
  worker.join();
  if (event >= 0) close(event);
}
