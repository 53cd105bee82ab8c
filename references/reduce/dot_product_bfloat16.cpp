// SPDX-License-Identifier: Apache-2.0
// The products are exact in float.
#include "kernel.h"

#include "blocks/bfloat16.h"

void dot_product_bfloat16(const bfloat16* a, const bfloat16* b, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const bfloat16* a_row = a + n * C;
    const bfloat16* b_row = b + n * C;
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += blocks::load(a_row[c]) * blocks::load(b_row[c]);
    blocks::store(sum, y[n]);
  }
}
