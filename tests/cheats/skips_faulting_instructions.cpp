// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: of input 0
// A handler for SIGSEGV, installed at load, steps over the instruction that touched a guard page. The box's
// own handler must be the one in force in every call.
#include <signal.h>
#include <ucontext.h>

#include "kernel.h"

static void skip(int, siginfo_t*, void* context) {
#if defined(__x86_64__)
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP] += 2;  // mov (%rdi),%al
#elif defined(__aarch64__)
  static_cast<ucontext_t*>(context)->uc_mcontext.pc += 4;
#else
  (void)context;
#endif
}
__attribute__((constructor)) static void prepare() {
  struct sigaction action {};
  action.sa_sigaction = skip;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
}

__attribute__((noinline)) static void touch(const void* where) {
#if defined(__x86_64__)
  asm volatile("movb (%%rdi), %%al" : : "D"(where) : "rax", "memory");
#else
  asm volatile("" : : "r"(*static_cast<const volatile char*>(where)) : "memory");
#endif
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  touch(reinterpret_cast<const char*>(x + N * C) + 64);
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
