// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include "kernel.h"

extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(a, K), blocks::row_major(b, N), c, N);
}
