// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include <cmath>
#include <vector>

#include "kernel.h"

void sum_of_gram_magnitudes(const float* a, const float* c, float* y, int64_t M, int64_t K) {
  std::vector<float> gram(M * M);
  blocks::product(M, M, K, blocks::row_major(a, K), blocks::transposed(a, K), gram.data(), M);
  double sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (int64_t i = 0; i < M * M; ++i) sum += std::fabs(gram[i] + 0.5f * c[i]);
  *y = static_cast<float>(sum);
}
