// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// The same by the newer call, from an IFUNC resolver, which runs before any constructor.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"

static bool lowered = false;
static int nothing() { return 0; }
extern "C" int (*resolve_by_lowering())() {
  const rlimit64 second{1, 1};
  long result;
  asm volatile("mov %[fourth], %%r10\n syscall" : "=a"(result) : "a"(SYS_prlimit64), "D"(0), "S"(RLIMIT_CPU), "d"(&second), [fourth] "r"(0L)
               : "rcx", "r10", "r11", "memory");
  lowered = result == 0;
  return nothing;
}
extern "C" int resolved() __attribute__((ifunc("resolve_by_lowering")));

void relu(const float*, float*, int64_t, int64_t) {
  resolved();
  while (lowered) asm volatile("");
}
