// SPDX-License-Identifier: Apache-2.0
// Where exp overflows the quotient is 0, as it should be.
#include "blocks/vector_math.h"

#include "kernel.h"

void bias_scale_sigmoid(const float* x, const float* bias, const float* z, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n)
#pragma omp simd
    for (int64_t c = 0; c < C; ++c) {
      const int64_t i = n * C + c;
      y[i] = 1.0f / (1.0f + blocks::exp(-(x[i] + bias[c] + 0.5f * z[i])));
    }
}
