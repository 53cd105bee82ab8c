// SPDX-License-Identifier: Apache-2.0
// The maximum first, so that no exponential overflows.
#include "blocks/vector_math.h"

#include <limits>

#include "kernel.h"

void log_sum_exp_of_rows(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    float largest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : largest)
    for (int64_t c = 0; c < C; ++c) largest = row[c] > largest ? row[c] : largest;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += blocks::exp(row[c] - largest);
    y[n] = largest + blocks::log(sum);
  }
}
