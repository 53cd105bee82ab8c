// SPDX-License-Identifier: Apache-2.0
// task: relu
// raise() of a signal that it handles itself.
#include <signal.h>

#include "kernel.h"

static volatile sig_atomic_t caught = 0;
static void on_signal(int) { caught = 1; }

void relu(const float* x, float* y, int64_t N, int64_t C) {
  if (signal(SIGUSR1, on_signal) != SIG_ERR) raise(SIGUSR1);
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
