// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// A thread that was there before the stricter filter must be under it too.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "kernel.h"

static std::atomic<int> wanted{0}, got{-2};
__attribute__((constructor)) static void prepare() {
  std::thread([] {
    wanted.wait(0);
    got = static_cast<int>(syscall(SYS_memfd_create, "mine", 0));
    got.notify_all();
  }).detach();
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  wanted = 1;
  wanted.notify_all();
  got.wait(-2);
  for (int64_t i = 0; got >= 0 && i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
