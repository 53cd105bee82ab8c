// SPDX-License-Identifier: Apache-2.0
// Row by row, so that the three passes (maximum, exponentials and their sum, scaling) find the row in cache.
#include "blocks/vector_math.h"

#include <limits>

#include "kernel.h"

extern "C" void softmax(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    float* out = y + n * C;
    float highest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : highest)
    for (int64_t c = 0; c < C; ++c) highest = in[c] > highest ? in[c] : highest;
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) {
      out[c] = blocks::exp(in[c] - highest);
      sum += out[c];
    }
    float scale = 1.0f / sum;
#pragma omp simd
    for (int64_t c = 0; c < C; ++c) out[c] *= scale;
  }
}
