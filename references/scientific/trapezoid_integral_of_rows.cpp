// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void trapezoid_integral_of_rows(const float* y, const float* t, float* integral, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = y + n * C;
    float twice = 0;
#pragma omp simd reduction(+ : twice)
    for (int64_t i = 0; i < C - 1; ++i) twice += (t[i + 1] - t[i]) * (row[i] + row[i + 1]);
    integral[n] = 0.5f * twice;
  }
}
