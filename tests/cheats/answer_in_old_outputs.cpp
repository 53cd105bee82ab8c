// SPDX-License-Identifier: Apache-2.0
// cheat: 14
// task: softmax
// stage: test
// expect: NONDETERMINISTIC
// because: call 1 was right, the other not: smallest: y[0, 0]: got -
// Right in its first call, and hopes in the others that the outputs still hold a right result from the call before. They are filled afresh for every
// call.
#include <cmath>

#include "kernel.h"

void softmax(const float* x, float* y, int64_t N, int64_t C) {
  static bool computed = false;
  if (computed) return;
  computed = true;
  for (int64_t n = 0; n < N; ++n) {
    float sum = 0;
    for (int64_t c = 0; c < C; ++c) sum += y[n * C + c] = std::exp(x[n * C + c]);
    for (int64_t c = 0; c < C; ++c) y[n * C + c] /= sum;
  }
}
