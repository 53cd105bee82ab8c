// SPDX-License-Identifier: Apache-2.0
// Each exponential is computed once and written to all rows.
#include "blocks/vector_math.h"

#include "kernel.h"

extern "C" void expand_exp(const float* x, float* y, int64_t N, int64_t R) {
#pragma omp parallel for simd
  for (int64_t n = 0; n < N; ++n) {
    const float value = blocks::exp(x[n]);
    for (int64_t r = 0; r < R; ++r) y[r * N + n] = value;
  }
}
