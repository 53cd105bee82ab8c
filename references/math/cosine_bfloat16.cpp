// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void cosine_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float value = static_cast<float>(x[i]);
    y[i] = static_cast<bfloat16>(std::cos(value));
  }
}
