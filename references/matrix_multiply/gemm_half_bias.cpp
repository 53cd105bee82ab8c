// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"
#include "kernel.h"

void gemm_half_bias(const float* a, const float* b, const float* c, float* y, int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(a, K), blocks::row_major(b, N), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) y[m * N + n] = y[m * N + n] + 0.5f * c[n];
}
