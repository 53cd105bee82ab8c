// SPDX-License-Identifier: Apache-2.0
// Row by row, so that the passes (maximum, exponentials and their sum, products) find the row in cache.
#include "blocks/vector_math.h"

#include "kernel.h"

void softmax_times(const float* x, const float* z, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    const float* factor = z + n * C;
    float* out = y + n * C;
    float largest = in[0];
#pragma omp simd reduction(max : largest)
    for (int64_t c = 1; c < C; ++c) largest = in[c] > largest ? in[c] : largest;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += out[c] = blocks::exp(in[c] - largest);
    const float scale = static_cast<float>(1.0 / sum);
    for (int64_t c = 0; c < C; ++c) out[c] *= scale * factor[c];
  }
}
