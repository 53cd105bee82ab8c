// SPDX-License-Identifier: Apache-2.0
// task: relu
// Tries an instruction under a handler of SIGILL, and does without where there is none such.
#include <setjmp.h>
#include <signal.h>

#include "kernel.h"

static sigjmp_buf back;
static void on_illegal(int) { siglongjmp(back, 1); }

static bool has_instruction() {
  struct sigaction own{}, before{};
  own.sa_handler = on_illegal;
  if (sigaction(SIGILL, &own, &before) != 0) return false;
  volatile bool has = false;
  if (sigsetjmp(back, 1) == 0) {
#if defined(__x86_64__)
    asm volatile("ud2");
#endif
    has = true;
  }
  sigaction(SIGILL, &before, nullptr);
  return has;
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  [[maybe_unused]] static const bool fast = has_instruction();
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
