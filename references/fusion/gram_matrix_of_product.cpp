// SPDX-License-Identifier: Apache-2.0
// Two products, each with a matrix added in place.
#include "blocks/product.h"
#include "kernel.h"

void gram_matrix_of_product(const float* a, const float* b, const float* c, float* y, int64_t M, int64_t K) {
  std::vector<float> first(M * M);
  blocks::product(M, M, K, blocks::row_major(a, K), blocks::row_major(b, M), first.data(), M);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < M * M; ++i) first[i] = 2 * first[i] + 0.5f * c[i];
  blocks::product(M, M, M, blocks::row_major(first.data(), M), blocks::transposed(first.data(), M), y, M);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < M * M; ++i) y[i] = 2 * y[i] + 0.5f * first[i];
}
