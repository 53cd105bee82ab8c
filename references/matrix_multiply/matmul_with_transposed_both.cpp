// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include "kernel.h"

void matmul_with_transposed_both(const float* a, const float* b, float* y, int64_t K, int64_t M, int64_t N) {
  blocks::product(M, N, K, blocks::transposed(a, M), blocks::transposed(b, K), y, N);
}
