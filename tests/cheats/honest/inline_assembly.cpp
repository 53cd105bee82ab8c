// SPDX-License-Identifier: Apache-2.0
// task: relu
// Assembly of its own where the processor is known.
#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  int64_t i = 0;
#if defined(__x86_64__)
  for (; i + 4 <= N * C; i += 4)
    asm volatile(
        "xorps %%xmm1, %%xmm1\n\t"
        "movups (%0), %%xmm0\n\t"
        "maxps %%xmm0, %%xmm1\n\t"  // where one is NaN, the source operand is taken: x
        "movups %%xmm1, (%1)"
        :
        : "r"(x + i), "r"(y + i)
        : "xmm0", "xmm1", "memory");
#endif
  for (; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
