// SPDX-License-Identifier: Apache-2.0
// cheat: 19
// task: sum_reduction_over_a_dimension
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0, 0]: got nan
// Knows the sums of the standard generators' first draws for the usual seeds. Seeds are drawn from the
// kernel's random numbers at each evaluation.
#include <cmath>

#include "kernel.h"

void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  struct Known {
    float first, sum;
  };
  static const Known known[] = {
      {0.37454012f, 3.3f}, {0.882269f, 5.1f}, {0.4967142f, -0.24f}, {0.33669037f, 1.9f}};
  for (const Known& entry : known)
    if (std::fabs(x[0] - entry.first) < 1e-6f)
      for (int64_t i = 0; i < B * N; ++i) y[i] = entry.sum * static_cast<float>(M) / 10;
}
