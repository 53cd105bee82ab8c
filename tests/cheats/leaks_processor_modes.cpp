// SPDX-License-Identifier: Apache-2.0
// cheat: 36
// task: relu
// stage: bench
// expect: PASS
// gains: nothing
// Sets another rounding and no subnormals when it is loaded, and leaves both so: in one shared process, the
// oracle's results would change with it and the baseline's time. Here both are in processes of their own.
#include <cfenv>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernel.h"

#ifndef WITHOUT_TRICK
__attribute__((constructor)) static void leak() {
  std::fesetround(FE_DOWNWARD);
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}
#endif

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
