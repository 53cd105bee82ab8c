// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

void linear_relu_layer_norm(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float* row = y + m * N;
    float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t n = 0; n < N; ++n) {
      const float z = row[n] + b[n];
      sum += row[n] = z < 0 ? 0 : z;
    }
    const float mean = sum / static_cast<float>(N);
#pragma omp simd reduction(+ : squares)
    for (int64_t n = 0; n < N; ++n) squares += (row[n] - mean) * (row[n] - mean);
    const float factor = 1 / std::sqrt(squares / static_cast<float>(N) + 1e-5f);
    for (int64_t n = 0; n < N; ++n) row[n] = (row[n] - mean) * factor;
  }
}
