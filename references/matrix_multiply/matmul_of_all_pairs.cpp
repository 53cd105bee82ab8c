// SPDX-License-Identifier: Apache-2.0
// A pair at a time; threads share the pairs.
#include "blocks/product.h"
#include "kernel.h"

void matmul_of_all_pairs(const float* a, const float* b, float* y, int64_t P, int64_t M, int64_t K, int64_t Q, int64_t N) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t p = 0; p < P; ++p)
    for (int64_t q = 0; q < Q; ++q)
      blocks::product(M, N, K, blocks::row_major(a + p * M * K, K), blocks::row_major(b + q * K * N, N), y + (p * Q + q) * M * N, N);
}
