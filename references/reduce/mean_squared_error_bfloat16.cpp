// SPDX-License-Identifier: Apache-2.0
// In double, which the squares do not overflow.
#include "kernel.h"

#include "blocks/bfloat16.h"

void mean_squared_error_bfloat16(const bfloat16* a, const bfloat16* b, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const bfloat16* a_row = a + n * C;
    const bfloat16* b_row = b + n * C;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) {
      const double difference = static_cast<double>(blocks::load(a_row[c])) - blocks::load(b_row[c]);
      sum += difference * difference;
    }
    blocks::store(static_cast<float>(sum / static_cast<double>(C)), y[n]);
  }
}
