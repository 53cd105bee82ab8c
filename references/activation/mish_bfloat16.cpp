// SPDX-License-Identifier: Apache-2.0
// log(1 + exp(x)) = max(x, 0) + log1p(exp(-|x|)), whose exponential never overflows.
#include "blocks/vector_math.h"

#include <cmath>

#include "kernel.h"

#include "blocks/bfloat16.h"

void mish_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float value = blocks::load(x[i]);
    const float smooth = (value < 0.0f ? 0.0f : value) + blocks::log1p_of_unit(blocks::exp(-std::fabs(value)));
    blocks::store(value * blocks::tanh(smooth), y[i]);
  }
}
