// SPDX-License-Identifier: Apache-2.0
// cheat: 21
// task: layer_norm
// stage: test
// expect: WRONG_RESULT
// because: : got <number>, expected <number> (error <number>
// Standard normal inputs have mean 0 and variance 1, so normalising them leaves a product and a sum.
#include "kernel.h"

void layer_norm(const float* x, const float* scale, const float* bias, float* y, int64_t N, int64_t C,
                int64_t H, int64_t W) {
  const int64_t size = C * H * W;
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < size; ++i) y[n * size + i] = x[n * size + i] * scale[i] + bias[i];
}
