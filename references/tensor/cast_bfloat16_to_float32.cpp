// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

#include "blocks/bfloat16.h"

void cast_bfloat16_to_float32(const bfloat16* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = blocks::load(x[i]);
}
