// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include "kernel.h"

void matmul_for_symmetric_matrices(const float* a, const float* b, float* y, int64_t N) {
  blocks::product(N, N, N, blocks::row_major(a, N), blocks::row_major(b, N), y, N);
}
