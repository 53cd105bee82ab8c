// SPDX-License-Identifier: Apache-2.0
// The share is kept between 0 and 1 before the product, so that large numbers do not overflow.
#include "kernel.h"

#include "blocks/bfloat16.h"

void hard_swish_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float value = blocks::load(x[i]);
    const float share = value * (1.0f / 6.0f) + 0.5f;
    blocks::store(value * (share < 0.0f ? 0.0f : share > 1.0f ? 1.0f : share), y[i]);
  }
}
