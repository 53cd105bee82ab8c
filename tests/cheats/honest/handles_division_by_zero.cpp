// SPDX-License-Identifier: Apache-2.0
// task: relu
// A handler of SIGFPE, put in place and taken away again.
#include <signal.h>

#include "kernel.h"

static void on_error(int) {}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const auto before = signal(SIGFPE, on_error);
  signal(SIGFPE, before == SIG_ERR ? SIG_DFL : before);
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
