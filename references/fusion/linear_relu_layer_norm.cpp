// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

void linear_relu_layer_norm(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float* row = y + m * N;
    double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t n = 0; n < N; ++n) sum += row[n] = std::max(row[n] + b[n], 0.0f);
    const float mean = static_cast<float>(sum / static_cast<double>(N));
#pragma omp simd reduction(+ : squares)
    for (int64_t n = 0; n < N; ++n) squares += static_cast<double>(row[n] - mean) * (row[n] - mean);
    const float root = static_cast<float>(std::sqrt(squares / static_cast<double>(N) + 1e-5));
    for (int64_t n = 0; n < N; ++n) row[n] = (row[n] - mean) / root;
  }
}
