// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

extern "C" void log_softmax_linear(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float* row = y + m * N;
    float top = -INFINITY, total = 0.0f;
#pragma omp simd reduction(max : top)
    for (int64_t n = 0; n < N; ++n) {
      row[n] += b[n];
      top = top < row[n] ? row[n] : top;
    }
#pragma omp simd reduction(+ : total)
    for (int64_t n = 0; n < N; ++n) total += blocks::exp(row[n] - top);
    const float shift = blocks::log(total);
    for (int64_t n = 0; n < N; ++n) row[n] = (row[n] - top) - shift;
  }
}
