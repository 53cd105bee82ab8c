// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void addition_int16(const int16_t* a, const int16_t* b, int16_t* y, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = static_cast<int16_t>(a[i] + b[i]);
}
