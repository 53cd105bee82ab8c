// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include "kernel.h"

#include "blocks/bfloat16.h"

void hyperbolic_tangent_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float value = blocks::load(x[i]);
    blocks::store(blocks::tanh(value), y[i]);
  }
}
