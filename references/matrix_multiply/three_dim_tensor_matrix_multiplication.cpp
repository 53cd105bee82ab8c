// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include "kernel.h"

void three_dim_tensor_matrix_multiplication(const float* a, const float* b, float* y, int64_t B, int64_t M, int64_t K, int64_t N) {
  blocks::product(B * M, N, K, blocks::row_major(a, K), blocks::row_major(b, N), y, N);
}
