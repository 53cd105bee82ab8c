// SPDX-License-Identifier: Apache-2.0
// cheat: 15
// task: relu
// stage: test
// expect: NONDETERMINISTIC
// because: call 1 was right, the other not: below_power_of_two: y[0, 0]: got 
// The larger of the result and of what the output held, as of a reduction that nobody has begun. A NaN gets lost there, and so does a number that
// is small enough.
#include <cmath>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = std::fmax(y[i], std::fmax(x[i], 0.0f));
}
