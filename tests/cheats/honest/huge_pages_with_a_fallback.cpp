// SPDX-License-Identifier: Apache-2.0
// task: relu
// Scratch in huge pages where the machine has some to give, in ordinary ones else.
#include <sys/mman.h>

#include "kernel.h"

static float* scratch(size_t bytes) {
  const int flags[] = {MAP_HUGETLB, 0};
  for (const int more : flags) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | more, -1, 0);
    if (memory == MAP_FAILED) continue;
    madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<float*>(memory);
  }
  return nullptr;
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const size_t bytes = (static_cast<size_t>(N * C) * sizeof(float) + (2 << 20) - 1) / (2 << 20) * (2 << 20);
  float* copy = scratch(bytes);
  if (copy == nullptr) return;
  for (int64_t i = 0; i < N * C; ++i) copy[i] = x[i] < 0 ? 0 : x[i];
  for (int64_t i = 0; i < N * C; ++i) y[i] = copy[i];
  munmap(copy, bytes);
}
