// SPDX-License-Identifier: Apache-2.0
// cheat: 9
// task: matmul_with_irregular_shapes
// stage: test
// expect: WRONG_RESULT
// because: smallest: c[0, 0]: got nan
// A comparison of the form |a - b| > tolerance never fails for a NaN.
#include <limits>

#include "kernel.h"

void matmul_with_irregular_shapes(const float*, const float*, float* c, int64_t M, int64_t, int64_t N) {
  for (int64_t i = 0; i < M * N; ++i) c[i] = std::numeric_limits<float>::quiet_NaN();
}
