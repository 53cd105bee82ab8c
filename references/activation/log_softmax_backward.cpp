// SPDX-License-Identifier: Apache-2.0
// Row by row, so that the second pass finds the row in cache.
#include "blocks/vector_math.h"

#include "kernel.h"

extern "C" void log_softmax_backward(const float* y, const float* dy, float* dx, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float *log_p = y + n * C, *g = dy + n * C;
    float* __restrict out = dx + n * C;
    float total = 0;
#pragma omp simd reduction(+ : total)
    for (int64_t c = 0; c < C; ++c) total += g[c];
#pragma omp simd
    for (int64_t c = 0; c < C; ++c) out[c] = g[c] - blocks::exp(log_p[c]) * total;
  }
}
