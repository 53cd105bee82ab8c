// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: INPUT_MODIFIED
// because: wrote to input 0
// Asks for write access to the inputs, and works in place. The file is sealed against it, and the write
// faults.
#include <sys/mman.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const auto begin = reinterpret_cast<uintptr_t>(x) / 4096 * 4096;
  const auto end = (reinterpret_cast<uintptr_t>(x + N * C) + 4095) / 4096 * 4096;
  mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE);
  float* in = const_cast<float*>(x);
  for (int64_t i = 0; i < N * C; ++i) y[i] = in[i] = x[i] < 0 ? 0 : x[i];
}
