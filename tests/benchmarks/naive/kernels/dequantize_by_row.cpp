// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void dequantize_by_row(const int8_t* q, const float* largest, float16* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t c = 0; c < C; ++c) y[n * C + c] = (float16)(q[n * C + c] * largest[n] / 127);
  }
}
