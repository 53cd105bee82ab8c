// SPDX-License-Identifier: Apache-2.0
// No exponential of a number between -30 and 30 overflows, nor does their sum: the row's largest need not be known.
#include "blocks/vector_math.h"

#include "kernel.h"

void softmax_soft_capped(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    float* out = y + n * C;
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) {
      out[c] = blocks::exp(30.0f * blocks::tanh(in[c] / 30.0f));
      sum += out[c];
    }
    const float factor = 1.0f / sum;
    for (int64_t c = 0; c < C; ++c) out[c] *= factor;
  }
}
