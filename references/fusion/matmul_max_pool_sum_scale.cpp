// SPDX-License-Identifier: Apache-2.0
// The product first, then its rows one by one.
#include "blocks/product.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void matmul_max_pool_sum_scale(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t P) {
  std::vector<float> z(M * 2 * P);
  blocks::product(M, 2 * P, K, blocks::row_major(x, K), blocks::transposed(w, K), z.data(), 2 * P);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    const float* row = &z[m * 2 * P];
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t p = 0; p < P; ++p) sum += std::max(row[2 * p] + b[2 * p], row[2 * p + 1] + b[2 * p + 1]);
    y[m] = static_cast<float>(sum / 2);
  }
}
