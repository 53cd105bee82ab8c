// SPDX-License-Identifier: Apache-2.0
// k^T v joins the state before the chunk's queries read it, since they see all of the chunk.
#include "blocks/product.h"

#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void chunk_attention_without_mask(const float* q, const float* k, const float* v, float* y, int64_t B, int64_t H, int64_t M,
                                             int64_t K, int64_t V) {
  constexpr int64_t kChunk = 32;
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel for schedule(dynamic)
  for (int64_t head = 0; head < B * H; ++head) {
    std::vector<float> s(K * V);
    for (int64_t t = head * M * kChunk; t < (head + 1) * M * kChunk; t += kChunk) {
      blocks::product(K, V, kChunk, blocks::transposed(k + t * K, K), blocks::row_major(v + t * V, V), s.data(), V, true);
      blocks::product(kChunk, V, K, blocks::row_major(q + t * K, K), blocks::row_major(s.data(), V), y + t * V, V);
      for (int64_t i = t * V; i < (t + kChunk) * V; ++i) y[i] *= scale;
    }
  }
}
