// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

#include "blocks/bfloat16.h"

void min_of_rows_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const bfloat16* x_row = x + n * C;
    float smallest = blocks::load(x_row[0]);
    for (int64_t c = 0; c < C; ++c) smallest = std::min(smallest, blocks::load(x_row[c]));
    blocks::store(smallest, y[n]);
  }
}
