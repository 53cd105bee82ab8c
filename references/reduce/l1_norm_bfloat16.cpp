// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

#include "blocks/bfloat16.h"

void l1_norm_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const bfloat16* row = x + n * C;
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += std::fabs(blocks::load(row[c]));
    blocks::store(sum, y[n]);
  }
}
