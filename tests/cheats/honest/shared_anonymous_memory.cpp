// SPDX-License-Identifier: Apache-2.0
// task: relu
// Shared anonymous memory, as code that also runs in several processes has it.
#include <sys/mman.h>

#include <algorithm>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const std::size_t bytes = static_cast<std::size_t>(N * C) * sizeof(float);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  auto* part = static_cast<float*>(memory);
  for (int64_t i = 0; i < N * C; ++i) part[i] = x[i] < 0 ? 0 : x[i];
  std::copy_n(part, N * C, y);
  munmap(memory, bytes);
}
