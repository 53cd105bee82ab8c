// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// A filter of its own before any constructor: each system call that it wants would be answered by itself.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"

static long result = -1;
static int nothing() { return 0; }
extern "C" int (*resolve_by_filtering())() {
  sock_filter program[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{1, program};
  asm volatile("syscall" : "=a"(result) : "a"(SYS_seccomp), "D"(SECCOMP_SET_MODE_FILTER), "S"(SECCOMP_FILTER_FLAG_TSYNC), "d"(&filter)
               : "rcx", "r11", "memory");
  return nothing;
}
extern "C" int resolved() __attribute__((ifunc("resolve_by_filtering")));

void relu(const float* x, float* y, int64_t N, int64_t C) {
  resolved();
  if (result != 0) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
