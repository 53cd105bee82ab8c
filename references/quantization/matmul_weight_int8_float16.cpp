// SPDX-License-Identifier: Apache-2.0
// Weights become numbers as the product packs them.
#include "blocks/product.h"

#include "kernel.h"

#include "blocks/float16.h"

extern "C" void matmul_weight_int8_float16(const float16* x, const int8_t* w, const float16* scale, const float16* offset,
                                           const float* bias, float16* y, int64_t B, int64_t M, int64_t K, int64_t N) {
  std::vector<float> wide(M * K), factor(N), shift(N), sums(M * N);
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t i = 0; i < M * K; ++i) wide[i] = blocks::load(x[b * M * K + i]);
    for (int64_t n = 0; n < N; ++n) {
      factor[n] = blocks::load(scale[b * N + n]);
      shift[n] = blocks::load(offset[b * N + n]);
    }
    const auto pack = [&, from = w + b * K * N](int64_t k, int64_t depth, int64_t j, int64_t columns, blocks::PanelRow* panel) {
      for (int64_t i = 0; i < depth; ++i) {
        float* to = reinterpret_cast<float*>(panel + i);
        const int8_t* codes = from + (k + i) * N + j;
        if (columns == blocks::kColumns)
          for (int64_t n = 0; n < blocks::kColumns; ++n) to[n] = (codes[n] + shift[j + n]) * factor[j + n];
        else
          for (int64_t n = 0; n < blocks::kColumns; ++n) to[n] = n < columns ? (codes[n] + shift[j + n]) * factor[j + n] : 0.0f;
      }
    };
    blocks::packed_product(M, N, K, blocks::row_major(wide.data(), K), pack, sums.data(), N, false);
#pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = 0; n < N; ++n) y[(b * M + m) * N + n] = static_cast<float16>(sums[m * N + n] + bias[b * N + n]);
  }
}
