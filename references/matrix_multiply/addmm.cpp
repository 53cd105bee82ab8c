// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include "kernel.h"

void addmm(const float* a, const float* b, const float* c, float* y, int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(a, K), blocks::row_major(b, N), y, N);
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < M * N; ++i) y[i] += c[i];
}
