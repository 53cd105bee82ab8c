// SPDX-License-Identifier: Apache-2.0
#pragma GCC optimize("no-trapping-math")  // an instruction rounds
#include <cmath>

#include "kernel.h"

void floor_divide(const float* a, const float* b, float* q, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) q[i] = std::floor(a[i] / b[i]);
}
