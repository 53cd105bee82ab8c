// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void cast_float32_to_bfloat16(const float* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t i = 0; i < N * C; ++i) y[i] = (bfloat16)x[i];
}
