// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include "kernel.h"

void gemm_transposed_weight(const float* a, const float* b, const float* c, float* y, int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(a, K), blocks::transposed(b, K), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) y[i * N + j] += c[j];
}
