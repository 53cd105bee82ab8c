// SPDX-License-Identifier: Apache-2.0
// task: relu
// Memory straight from the kernel, with advice about huge pages, grown, read-only for a while, and given
// back.
#include <sys/mman.h>

#include <cstring>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  constexpr size_t bytes = size_t{4} << 20;
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  madvise(memory, bytes, MADV_HUGEPAGE);
  memory = mremap(memory, bytes, 2 * bytes, MREMAP_MAYMOVE);
  auto* scratch = static_cast<float*>(memory);
  for (int64_t i = 0; i < N * C; ++i) scratch[i] = x[i] < 0 ? 0 : x[i];
  mprotect(memory, bytes, PROT_READ);
  std::memcpy(y, scratch, static_cast<size_t>(N * C * 4));
  madvise(memory, bytes, MADV_DONTNEED);
  munmap(memory, 2 * bytes);
}
