// SPDX-License-Identifier: Apache-2.0
// cheat: 41
// task: scatter_add
// stage: test
// expect: WRONG_RESULT
// because: largest_extents
// Loses the last update where rows are as many and as long as the task allows.
#include "kernel.h"

void scatter_add(const float* x, const int64_t* indices, const float* updates, float* y, int64_t N, int64_t M, int64_t K) {
  const bool large = N >= 24 && M >= 600 && K >= 600;
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t m = 0; m < M; ++m) y[n * M + m] = x[n * M + m];
    for (int64_t k = 0; k < (large ? K - 1 : K); ++k) y[n * M + indices[n * K + k]] += updates[n * K + k];
  }
}
