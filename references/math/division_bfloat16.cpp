// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

#include "blocks/bfloat16.h"

void division_bfloat16(const bfloat16* a, const bfloat16* b, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float p = blocks::load(a[i]), q = blocks::load(b[i]);
    blocks::store(q == 0.0f ? 0.0f : p / q, y[i]);
  }
}
