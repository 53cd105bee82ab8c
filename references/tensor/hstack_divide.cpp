// SPDX-License-Identifier: Apache-2.0
// Divides, since a product with the reciprocal would round twice.
#include "kernel.h"

extern "C" void hstack_divide(const float* x, const float* z, const float* divisor, float* y, int64_t N, int64_t A, int64_t B) {
  const float by = *divisor;
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float* out = y + n * (A + B);
#pragma omp simd
    for (int64_t i = 0; i < A; ++i) out[i] = x[n * A + i] / by;
#pragma omp simd
    for (int64_t i = 0; i < B; ++i) out[A + i] = z[n * B + i] / by;
  }
}
