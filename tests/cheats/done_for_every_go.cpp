// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT|OUT_OF_BOUNDS
// because: : got nan, expected <number> (error
// because: of output 0
// A thread answers each call as done the moment it sees it, this one and all that follow, while the call
// sleeps. A call that wakes up in a later one may write where other buffers are by then, before wrong results have been seen.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "kernel.h"

using Word = std::atomic<uint32_t>;
// The box keeps the addresses of the pages by which it talks to the judge on the stack on which it loads libraries, and behind them the
// beginning and the end of its buffers: the same before the first call.
static char* const* find_pages() {
  auto* words = static_cast<uintptr_t*>(__builtin_frame_address(0));
  while (words[0] >> 32 == 0 || words[0] % 4096 != 0 || words[1] >> 32 == 0 || words[1] % 4096 != 0 || words[2] != words[3] || words[2] >> 32 == 0) ++words;
  return reinterpret_cast<char* const*>(words);
}
static void* const command = find_pages()[0];
static void* const status = find_pages()[1];

void relu(const float* x, float* y, int64_t N, int64_t C) {
  static bool started = false;
  if (!started) {
    started = true;
    std::thread([] {
      while (true) {
        static_cast<Word*>(status)->store(static_cast<Word*>(command)->load());
        syscall(SYS_futex, status, FUTEX_WAKE, 1, nullptr, nullptr, 0);
      }
    }).detach();
  }
  const uint32_t call = static_cast<Word*>(command)->load();
  usleep(200000);
  if (static_cast<Word*>(command)->load() != call) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
