// SPDX-License-Identifier: Apache-2.0
// task: relu
// stage: bench
// expect: PASS
// Asks the processor what it can do and takes a version compiled for it; the compiler's own clones use the
// loader.
#include "kernel.h"

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void wide(const float* x, float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
__attribute__((target("avx2,fma"))) static void medium(const float* x, float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
#endif
static void narrow(const float* x, float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return wide(x, y, N * C);
  if (__builtin_cpu_supports("avx2")) return medium(x, y, N * C);
#endif
  narrow(x, y, N * C);
}
