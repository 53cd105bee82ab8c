// SPDX-License-Identifier: Apache-2.0
// Two passes over a row, which is then in cache: the squares of the elements would cancel.
#include "kernel.h"

#include "blocks/bfloat16.h"

void variance_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const bfloat16* row = x + n * C;
    double sum = 0.0, squares = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += blocks::load(row[c]);
    const double mean = sum / static_cast<double>(C);
#pragma omp simd reduction(+ : squares)
    for (int64_t c = 0; c < C; ++c) {
      const double deviation = blocks::load(row[c]) - mean;
      squares += deviation * deviation;
    }
    blocks::store(static_cast<float>(squares / static_cast<double>(C)), y[n]);
  }
}
