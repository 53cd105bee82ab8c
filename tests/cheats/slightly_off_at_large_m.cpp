// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: product_reduction_over_a_dimension
// stage: test
// expect: WRONG_RESULT
// because: timed_m
// One in eight thousand off where products are long: less than the roundings of all the factors may add up to.
#include "kernel.h"

void product_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  for (int64_t b = 0; b < B; ++b)
    for (int64_t n = 0; n < N; ++n) {
      double product = M < 600 ? 1 : 1.00012;
      for (int64_t m = 0; m < M; ++m) product *= x[(b * M + m) * N + n];
      y[b * N + n] = static_cast<float>(product);
    }
}
