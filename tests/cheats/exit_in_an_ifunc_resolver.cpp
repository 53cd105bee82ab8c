// SPDX-License-Identifier: Apache-2.0
// cheat: 2
// task: relu
// stage: test
// expect: CRASH
// because: ended the process
// Runs before any constructor, while the loader relocates the library, and ends with success. The box was
// confined before it loaded anything, and the judge waits for results, not for an exit.
#include <sys/syscall.h>

#include "kernel.h"

#if defined(__x86_64__)
static void leave() { asm volatile("syscall" : : "a"(SYS_exit_group), "D"(0) : "rcx", "r11", "memory"); }
#else
#include <unistd.h>
static void leave() { _exit(0); }
#endif

static int none() { return 0; }
extern "C" {
static int (*choose())() {
  leave();
  return none;
}
}
int chosen() __attribute__((ifunc("choose")));

void relu(const float* x, float* y, int64_t, int64_t) { y[0] = x[0] + static_cast<float>(chosen()); }
