// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void cast_float32_to_float16(const float* x, float16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = static_cast<float16>(x[i]);
}
