// SPDX-License-Identifier: Apache-2.0
// Row by row, so that the second pass finds the row in cache.
#include "kernel.h"

extern "C" void softmax_backward(const float* y, const float* dy, float* dx, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float *p = y + n * C, *g = dy + n * C;
    float* __restrict out = dx + n * C;
    float common = 0;
#pragma omp simd reduction(+ : common)
    for (int64_t c = 0; c < C; ++c) common += p[c] * g[c];
#pragma omp simd
    for (int64_t c = 0; c < C; ++c) out[c] = p[c] * (g[c] - common);
  }
}
