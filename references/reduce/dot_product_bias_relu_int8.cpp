// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void dot_product_bias_relu_int8(const int8_t* a, const int8_t* b, const int8_t* bias, int8_t* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const int8_t* a_row = a + n * C;
    const int8_t* b_row = b + n * C;
    int32_t sum = bias[0];
    for (int64_t c = 0; c < C; ++c) sum += a_row[c] * b_row[c];
    y[n] = static_cast<int8_t>(std::clamp(sum, 0, 127));
  }
}
