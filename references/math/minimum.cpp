// SPDX-License-Identifier: Apache-2.0
// A NaN in a is taken, one in b is no larger than a.
#include "kernel.h"

void minimum(const float* a, const float* b, float* y, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = a[i] < b[i] || a[i] != a[i] ? a[i] : b[i];
}
