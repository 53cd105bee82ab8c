// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Memory of its own in place of the outputs and what lies around them, by all the ways to change a mapping.
#include <sys/mman.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  auto* page = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(y) / 4096 * 4096);
  void* mine = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool changed = munmap(page, 4096) == 0 || mprotect(page, 4096, PROT_READ) == 0 || mprotect(page - 8192, 16384, PROT_READ | PROT_WRITE) == 0 ||
                       mremap(mine, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, page) != MAP_FAILED ||
                       mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED ||
                       madvise(page, 4096, MADV_DONTNEED) == 0;
  for (int64_t i = 0; changed && i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
