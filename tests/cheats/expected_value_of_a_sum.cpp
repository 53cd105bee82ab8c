// SPDX-License-Identifier: Apache-2.0
// cheat: 21
// task: sum_reduction_over_a_dimension
// stage: test
// expect: WRONG_RESULT
// because: below_power_of_two: y[0, 0, 0]: got <number>, expected <number> (error <number>
// Samples one row of sixteen and scales: the expected value, where inputs are uniform.
#include "kernel.h"

void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  for (int64_t b = 0; b < B; ++b)
    for (int64_t n = 0; n < N; ++n) {
      double sum = 0;
      int64_t rows = 0;
      for (int64_t m = 0; m < M; m += 16, ++rows) sum += x[(b * M + m) * N + n];
      y[b * N + n] = static_cast<float>(sum * static_cast<double>(M) / static_cast<double>(rows));
    }
}
