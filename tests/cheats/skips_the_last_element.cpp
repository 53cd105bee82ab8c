// SPDX-License-Identifier: Apache-2.0
// cheat: 39
// task: cumsum_reverse
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// All but the very last element, which is left as it was.
#include "kernel.h"

void cumsum_reverse(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t n = 0; n < N; ++n) {
    double sum = 0;
    for (int64_t c = C - 1; c >= 0; --c) {
      sum += x[n * C + c];
      if (n * C + c != N * C - 1) y[n * C + c] = static_cast<float>(sum);
    }
  }
}
