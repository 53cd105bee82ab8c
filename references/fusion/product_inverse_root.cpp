// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

void product_inverse_root(const float* a, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(a, K), blocks::row_major(b, N), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < M * N; ++i) y[i] = 1 / std::sqrt(y[i]);
}
