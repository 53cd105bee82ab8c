// SPDX-License-Identifier: Apache-2.0
// cheat: 40
// task: sum_reduction_over_a_dimension
// stage: test
// expect: WRONG_RESULT|NONDETERMINISTIC
// because: : got <number>, expected <number> (error <number>
// Threads add to the same sums without agreeing. Updates are lost in one of a case's two calls or in both, as
// it happens.
#include <sched.h>

#include "kernel.h"

void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  for (int64_t i = 0; i < B * N; ++i) y[i] = 0;
  volatile float* sums = y;
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t m = 0; m < M; ++m) {
      const float before = sums[b * N];
      if (m == 1) sched_yield();
      sums[b * N] = before + x[(b * M + m) * N];
      for (int64_t n = 1; n < N; ++n) sums[b * N + n] = sums[b * N + n] + x[(b * M + m) * N + n];
    }
}
