// SPDX-License-Identifier: Apache-2.0
// Unsigned arithmetic wraps.
#include "kernel.h"

void dot_product_int32(const int32_t* a, const int32_t* b, int32_t* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const int32_t* a_row = a + n * C;
    const int32_t* b_row = b + n * C;
    uint32_t sum = 0;
    for (int64_t c = 0; c < C; ++c) sum += static_cast<uint32_t>(a_row[c]) * static_cast<uint32_t>(b_row[c]);
    y[n] = static_cast<int32_t>(sum);
  }
}
