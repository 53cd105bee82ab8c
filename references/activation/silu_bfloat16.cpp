// SPDX-License-Identifier: Apache-2.0
// Where exp overflows the quotient is 0, as it should be.
#include "blocks/vector_math.h"

#include "kernel.h"

#include "blocks/bfloat16.h"

void silu_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float value = blocks::load(x[i]);
    blocks::store(value / (1.0f + blocks::exp(-value)), y[i]);
  }
}
