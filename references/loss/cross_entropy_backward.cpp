// SPDX-License-Identifier: Apache-2.0
// Row by row, so that the three passes (maximum, exponentials and their sum, scaling) find the row in cache; 1 / N joins the scale.
#include "blocks/vector_math.h"

#include <limits>

#include "kernel.h"

extern "C" void cross_entropy_backward(const float* x, const int64_t* target, float* dx, int64_t N, int64_t C) {
  const float rows = static_cast<float>(N);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    float* __restrict out = dx + n * C;
    float largest = -std::numeric_limits<float>::infinity(), sum = 0;
#pragma omp simd reduction(max : largest)
    for (int64_t c = 0; c < C; ++c) largest = in[c] > largest ? in[c] : largest;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += out[c] = blocks::exp(in[c] - largest);
    const float marked = (out[target[n]] / sum - 1) / rows, scale = 1 / (sum * rows);
#pragma omp simd
    for (int64_t c = 0; c < C; ++c) out[c] *= scale;
    out[target[n]] = marked;
  }
}
