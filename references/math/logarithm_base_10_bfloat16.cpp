// SPDX-License-Identifier: Apache-2.0
// log10(0) is -Inf, which stands for all below, too.
#include "blocks/vector_math.h"

#include "kernel.h"

#include "blocks/bfloat16.h"

void logarithm_base_10_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float value = blocks::load(x[i]);
    blocks::store(blocks::log10(value < 0.0f ? 0.0f : value), y[i]);
  }
}
