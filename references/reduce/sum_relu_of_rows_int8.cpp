// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void sum_relu_of_rows_int8(const int8_t* x, int8_t* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const int8_t* x_row = x + n * C;
    int32_t sum = 0;
    for (int64_t c = 0; c < C; ++c) sum += x_row[c];
    y[n] = static_cast<int8_t>(std::clamp(sum, 0, 127));
  }
}
