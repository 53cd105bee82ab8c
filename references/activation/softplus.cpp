// SPDX-License-Identifier: Apache-2.0
// max(x, 0) + log(1 + exp(-|x|)): the exponential never overflows, and log1p keeps small results.
#include "blocks/vector_math.h"

#include <cmath>

#include "kernel.h"

void softplus(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = (x[i] < 0.0f ? 0.0f : x[i]) + blocks::log1p_of_unit(blocks::exp(-std::fabs(x[i])));
}
