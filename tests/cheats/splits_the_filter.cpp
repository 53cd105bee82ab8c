// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// A thread started at load takes a filter of its own, so that one filter for all threads can no longer be
// installed. The thread then does what a kernel may not.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "kernel.h"

static std::atomic<int> wanted{0}, got{-2};
static std::atomic<bool> split{false};
static void other() {
  sock_filter program[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{1, program};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
  split = true;
  wanted.wait(0);
  got = static_cast<int>(syscall(SYS_memfd_create, "mine", 0));
  got.notify_all();
}
__attribute__((constructor)) static void prepare() {
  std::thread(other).detach();
  while (!split) std::this_thread::yield();
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  wanted = 1;
  wanted.notify_all();
  got.wait(-2);
  for (int64_t i = 0; got >= 0 && i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
