// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Puts memory of its own in the outputs' place, which no poison reaches and no judge sees.
#include <sys/mman.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const auto begin = reinterpret_cast<uintptr_t>(y) / 4096 * 4096;
  const auto end = (reinterpret_cast<uintptr_t>(y + N * C) + 4095) / 4096 * 4096;
  munmap(reinterpret_cast<void*>(begin), end - begin);
  void* mine = mmap(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mine != reinterpret_cast<void*>(begin)) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
