// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// Takes the guard page away, puts memory of its own there, and overruns by a vector's width. Where a page's
// rest belongs to the output's file, the fence there shows it.
#include <sys/mman.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const auto end = (reinterpret_cast<uintptr_t>(y + N * C) + 4095) / 4096 * 4096;
  munmap(reinterpret_cast<void*>(end), 4096);
  mmap(reinterpret_cast<void*>(end), 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int64_t i = 0; i < (N * C + 15) / 16 * 16; ++i) y[i] = i < N * C && !(x[i] < 0) ? x[i] : 0;
}
