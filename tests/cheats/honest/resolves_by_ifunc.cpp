// SPDX-License-Identifier: Apache-2.0
// task: relu
// An IFUNC resolver chooses by what the processor can do, before constructors run.

#include "kernel.h"

static void plain(const float* x, float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) static void wide(const float* x, float* y, int64_t count) { plain(x, y, count); }
extern "C" void (*choose_kernel())(const float*, float*, int64_t) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") ? wide : plain;
}
extern "C" void chosen(const float* x, float* y, int64_t count) __attribute__((ifunc("choose_kernel")));
#else
extern "C" void chosen(const float* x, float* y, int64_t count) { plain(x, y, count); }
#endif

void relu(const float* x, float* y, int64_t N, int64_t C) { chosen(x, y, N * C); }
