// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void cast_int8_to_int32(const int8_t* x, int32_t* y, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i];
}
