// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

#include "blocks/bfloat16.h"

void hard_sigmoid_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float value = blocks::load(x[i]);
    const float share = 0.2001953125f * value + 0.5f;  // 0.2 as a bfloat16
    blocks::store(share < 0.0f ? 0.0f : share > 1.0f ? 1.0f : share, y[i]);
  }
}
