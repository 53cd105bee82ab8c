// SPDX-License-Identifier: Apache-2.0
// cheat: 9
// task: sum_reduction_over_a_dimension
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0, 0]: got inf
// Infinity minus infinity is no difference at all to some comparisons, and relative ones divide by it.
#include <limits>

#include "kernel.h"

void sum_reduction_over_a_dimension(const float*, float* y, int64_t B, int64_t, int64_t N) {
  for (int64_t i = 0; i < B * N; ++i) y[i] = std::numeric_limits<float>::infinity();
}
