// SPDX-License-Identifier: Apache-2.0
// task: relu
// Pages on the nearest memory node, by raw system calls as without libnuma; refusals are ignored.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  std::vector<float> table(1 << 16, 1);
  unsigned long nodes = 1;
  int policy = 0;
  syscall(SYS_get_mempolicy, &policy, nullptr, 0, nullptr, 0);
  syscall(SYS_set_mempolicy, 0, nullptr, 0);
  syscall(SYS_mbind, table.data(), 4096, 2, &nodes, 8, 0);
  syscall(SYS_move_pages, 0, 0, nullptr, nullptr, nullptr, 0);
  if (table[5] != 1) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
