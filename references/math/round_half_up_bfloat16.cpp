// SPDX-License-Identifier: Apache-2.0
// The sum is exact where a fraction is left: 8 bits of x and those of 1/2 fit in 24.
#pragma GCC optimize("no-trapping-math")  // an instruction rounds

#include <cmath>

#include "kernel.h"

#include "blocks/bfloat16.h"

void round_half_up_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float value = blocks::load(x[i]);
    blocks::store(std::floor(value + 0.5f), y[i]);
  }
}
