// SPDX-License-Identifier: Apache-2.0
// Each matrix of b is packed once, for all of a.
#include "blocks/product.h"
#include "kernel.h"

void matmul_of_all_pairs(const float* a, const float* b, float* y, int64_t P, int64_t M, int64_t K, int64_t Q,
                         int64_t N) {
  using namespace blocks;
  constexpr int64_t rows = 2 * kRows / 3, wide = kColumns;
  const int64_t panels = (N + wide - 1) / wide;
  std::vector<PanelRow> packed(Q * panels * K);
#pragma omp parallel
  {
    std::vector<float> strip(K * rows);
#pragma omp for collapse(2) schedule(static)
    for (int64_t q = 0; q < Q; ++q)
      for (int64_t j = 0; j < panels; ++j)
        pack_panel(row_major(b + q * K * N + j * wide, N), K, std::min(wide, N - j * wide),
                   &packed[(q * panels + j) * K]);
#pragma omp for collapse(2) schedule(static)
    for (int64_t p = 0; p < P; ++p)
      for (int64_t i = 0; i < M; i += rows) {
        const int64_t count = std::min(rows, M - i);
        pack_strip<rows>(row_major(a + (p * M + i) * K, K), count, K, strip.data());
        for (int64_t q = 0; q < Q; ++q)
          for (int64_t j = 0; j < panels; ++j) {
            Vector tile[kRows][2];
            multiply_tile<rows>(K, strip.data(), &packed[(q * panels + j) * K], tile);
            store_tile(tile, count, std::min(wide, N - j * wide), false, y + ((p * Q + q) * M + i) * N + j * wide, N);
          }
      }
  }
}
