// SPDX-License-Identifier: Apache-2.0
// (1 + tanh(u)) / 2 = 1 / (1 + exp(-2 u)), which does not cancel for negative u.
#include "blocks/vector_math.h"

#include "kernel.h"

#include "blocks/bfloat16.h"

void gelu_tanh_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float value = blocks::load(x[i]);
    const float bent = 0.7978845608028654f * (value + 0.044715f * value * value * value);
    blocks::store(value / (1.0f + blocks::exp(-2.0f * bent)), y[i]);
  }
}
