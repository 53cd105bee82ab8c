// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// A thread in the wait of vfork cannot be stopped: the judge's freeze would wait for it for ever, and other
// threads would go on. clone() with CLONE_VFORK beside CLONE_THREAD gets there without a new process. The
// filter looks at that flag.
#include <linux/sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "kernel.h"

static char stack[65536] __attribute__((aligned(64)));

static void wait_for_ever() {
#if defined(__x86_64__)
  constexpr long flags =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_VFORK;
  register long tid asm("r10") = 0;
  register long tls asm("r8") = 0;
  long result;
  // The new thread must not return on the old frame: it loops right here.
  asm volatile("syscall\n\ttest %%rax, %%rax\n\tjnz 2f\n1:\tpause\n\tjmp 1b\n2:"
               : "=a"(result)
               : "a"(SYS_clone), "D"(flags), "S"(stack + sizeof stack), "d"(0), "r"(tid), "r"(tls)
               : "rcx", "r11", "memory");
#else
  vfork();
#endif
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  static bool started = false;
  if (!started) std::thread(wait_for_ever).detach();
  started = true;
  usleep(50000);
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
