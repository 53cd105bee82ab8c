// SPDX-License-Identifier: Apache-2.0
// cheat: 36
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: subnormal
// Sets the processor to treat subnormal numbers as zero, faster on some, for this process and, it hopes, the
// oracle's.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernel.h"

static float flush(float x) { return __builtin_fabsf(x) < 0x1p-126f ? 0.0f : x; }

void relu(const float* x, float* y, int64_t N, int64_t C) {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : flush(x[i]);
}
