// SPDX-License-Identifier: Apache-2.0
// cheat: 25
// task: relu
// stage: test
// expect: WRONG_RESULT|OUT_OF_BOUNDS
// because: : got nan, expected <number> (error
// because: of output 0
// Reports the call as done before it computes. The judge freezes the box at that word and takes what is
// there. Where the rest of a call meets the buffers of a later one, that is seen first.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

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
  const uint32_t call = static_cast<Word*>(command)->load();
  static_cast<Word*>(status)->store(call);
  syscall(SYS_futex, status, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  usleep(100000);
  if (static_cast<Word*>(command)->load() != call) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
