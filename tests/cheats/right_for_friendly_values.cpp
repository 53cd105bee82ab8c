// SPDX-License-Identifier: Apache-2.0
// cheat: 41
// task: argmax_over_a_dimension
// stage: test
// expect: WRONG_RESULT
// because: y[
// Starts from zero and takes the last of equals: right for random positive values.
#include "kernel.h"

void argmax_over_a_dimension(const float* x, int64_t* y, int64_t B, int64_t M, int64_t N) {
  for (int64_t b = 0; b < B; ++b)
    for (int64_t n = 0; n < N; ++n) {
      float best = 0;
      y[b * N + n] = 0;
      for (int64_t m = 0; m < M; ++m)
        if (x[(b * M + m) * N + n] >= best) best = x[(b * M + m) * N + n], y[b * N + n] = m;
    }
}
