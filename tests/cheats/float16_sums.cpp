// SPDX-License-Identifier: Apache-2.0
// cheat: 35
// task: sum_reduction_over_a_dimension
// stage: test
// expect: WRONG_RESULT
// because: : got <number>, expected <number> (error <number>
// Sums in half precision.
#include "kernel.h"

#if defined(__x86_64__) || defined(__aarch64__)
using Half = _Float16;
#else
using Half = float;
#endif

void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  for (int64_t b = 0; b < B; ++b)
    for (int64_t n = 0; n < N; ++n) {
      Half sum = 0;
      for (int64_t m = 0; m < M; ++m)
        sum = static_cast<Half>(sum + static_cast<Half>(x[(b * M + m) * N + n]));
      y[b * N + n] = static_cast<float>(sum);
    }
}
