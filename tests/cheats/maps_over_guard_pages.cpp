// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: accessed
// The same in one step, by a fixed mapping over what is there.
#include <sys/mman.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const auto end = (reinterpret_cast<uintptr_t>(y + N * C) + 4095) / 4096 * 4096;
  mmap(reinterpret_cast<void*>(end), 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
       -1, 0);
  *reinterpret_cast<volatile char*>(end + 100) = 1;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
