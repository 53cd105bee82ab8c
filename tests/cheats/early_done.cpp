// SPDX-License-Identifier: Apache-2.0
// cheat: 25
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Reports the call as done before it computes. The judge freezes the box at that word and takes what is
// there.
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "kernel.h"

using Word = std::atomic<uint32_t>;
static void* const command = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, 3, 0);
static void* const status = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);

void relu(const float* x, float* y, int64_t N, int64_t C) {
  if (command == MAP_FAILED || status == MAP_FAILED) return;
  const uint32_t call = static_cast<Word*>(command)->load();
  static_cast<Word*>(status)->store(call);
  syscall(SYS_futex, status, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  usleep(100000);
  if (static_cast<Word*>(command)->load() != call) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
