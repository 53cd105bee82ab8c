// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void mul_row_broadcast(const float* x, const float* scale, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    float* out = y + n * C;
#pragma omp simd
    for (int64_t c = 0; c < C; ++c) out[c] = in[c] * scale[c];
  }
}
