// SPDX-License-Identifier: Apache-2.0
// cheat: 45
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// A handler for SIGSYS, installed at load, to live on after a refused call. What the filter kills, no handler
// sees.
#include <signal.h>
#include <sys/socket.h>

#include "kernel.h"

static void survive(int) {}
__attribute__((constructor)) static void prepare() { signal(SIGSYS, survive); }

void relu(const float* x, float* y, int64_t N, int64_t C) {
  socket(AF_INET, SOCK_STREAM, 0);
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
