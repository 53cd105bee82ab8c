// SPDX-License-Identifier: Apache-2.0
// The first of equals is what the standard algorithm finds.
#include <algorithm>

#include "kernel.h"

void min_and_position_of_rows(const float* x, float* y, int64_t* position, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    const float* best = std::min_element(row, row + C);
    y[n] = *best;
    position[n] = best - row;
  }
}
