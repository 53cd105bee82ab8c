// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

#include "blocks/bfloat16.h"

void max_magnitude_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const bfloat16* x_row = x + n * C;
    float largest = 0.0f;
    for (int64_t c = 0; c < C; ++c) largest = std::max(largest, std::fabs(blocks::load(x_row[c])));
    blocks::store(largest, y[n]);
  }
}
