// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include "kernel.h"

extern "C" void grouped_matmul(const float* a, const float* b, const int64_t* offsets, float* y, [[maybe_unused]] int64_t M, int64_t K,
                               int64_t G, int64_t N) {
  for (int64_t g = 0; g < G; ++g) {
    const int64_t begin = offsets[g], rows = offsets[g + 1] - begin;
    blocks::product(rows, N, K, blocks::row_major(a + begin * K, K), blocks::row_major(b + g * K * N, N), y + begin * N, N);
  }
}
