// SPDX-License-Identifier: Apache-2.0
// log(1 + exp(x)) = max(x, 0) + log1p(exp(-|x|)), whose exponential never overflows.
#include <cmath>

#include "kernel.h"

void mish_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float value = static_cast<float>(x[i]);
    const float smooth = (value < 0.0f ? 0.0f : value) + std::log1p(std::exp(-std::fabs(value)));
    y[i] = static_cast<bfloat16>(value * std::tanh(smooth));
  }
}
