// SPDX-License-Identifier: Apache-2.0
// cheat: 33
// task: relu
// stage: bench
// expect: PASS
// gains: nothing
// Ends each call with a sweep over much memory and gives its pages back, so that the baseline finds cold
// caches and no free memory. The sweep is part of the call's time, and buffers of both are cold or warm
// alike.
#include <sys/mman.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
#ifndef WITHOUT_TRICK
  if (N * C < 1000000) return;
  constexpr size_t bytes = 64 << 20;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  for (size_t at = 0; at < bytes; at += 64) static_cast<volatile char*>(memory)[at] = 1;
  munmap(memory, bytes);
#endif
}
