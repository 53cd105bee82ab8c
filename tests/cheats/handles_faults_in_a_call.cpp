// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// The same, installed in the call itself.
#include <signal.h>

#include "kernel.h"

static void ignore(int) {}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  struct sigaction action {};
  action.sa_handler = ignore;
  if (sigaction(SIGSEGV, &action, nullptr) != 0) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
