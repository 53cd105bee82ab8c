// SPDX-License-Identifier: Apache-2.0
// task: relu
// Reserves addresses, and makes them memory by mprotect() as they are needed, as arena allocators do.
#include <sys/mman.h>

#include <algorithm>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  constexpr std::size_t kReserved = std::size_t{64} << 20;
  void* reserved = mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return;
  const std::size_t bytes = (static_cast<std::size_t>(N * C) * sizeof(float) + 4095) / 4096 * 4096;
  if (mprotect(reserved, bytes, PROT_READ | PROT_WRITE) != 0) return;
  auto* part = static_cast<float*>(reserved);
  for (int64_t i = 0; i < N * C; ++i) part[i] = x[i] < 0 ? 0 : x[i];
  std::copy_n(part, N * C, y);
  madvise(reserved, bytes, MADV_DONTNEED);
  munmap(reserved, kReserved);
}
