// SPDX-License-Identifier: Apache-2.0
// x - (maximum + log(sum of exp(x - maximum))), row by row, so that the passes find the row in cache.
#include "blocks/vector_math.h"

#include <cmath>
#include <limits>

#include "kernel.h"

void log_softmax(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    float* out = y + n * C;
    float largest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : largest)
    for (int64_t c = 0; c < C; ++c) largest = in[c] > largest ? in[c] : largest;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += blocks::exp(in[c] - largest);
    const float logarithm = static_cast<float>(std::log(sum));
#pragma omp simd
    for (int64_t c = 0; c < C; ++c) out[c] = in[c] - largest - logarithm;
  }
}
