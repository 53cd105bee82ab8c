// SPDX-License-Identifier: Apache-2.0
// task: relu
// The compiler's own clones: a resolver runs while the library is loaded.
#include "kernel.h"

#if defined(__x86_64__)
__attribute__((target_clones("avx2", "default")))
#endif
void each(const float* x, float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

void relu(const float* x, float* y, int64_t N, int64_t C) { each(x, y, N * C); }
