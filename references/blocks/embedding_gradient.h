// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace blocks {

/// The gradient [V, D] of a table of embeddings: each row of dy [K, D] times weight(its index) is added to the table's row of that index, but
/// where the index is `padding`. Each thread adds to columns of its own, so that no two meet in a row.
template <class Weight>
void embedding_gradient(const float* dy, const int64_t* indices, int64_t padding, float* dtable, int64_t K, int64_t D, int64_t V,
                        Weight&& weight) {
  constexpr int64_t kColumns = 128;  // of a thread
#pragma omp parallel for
  for (int64_t begin = 0; begin < D; begin += kColumns) {
    const int64_t count = std::min(kColumns, D - begin);
    for (int64_t v = 0; v < V; ++v) std::fill_n(dtable + v * D + begin, count, 0.0f);
    for (int64_t k = 0; k < K; ++k) {
      if (indices[k] == padding) continue;
      const float* from = dy + k * D + begin;
      float* to = dtable + indices[k] * D + begin;
      const float w = weight(indices[k]);
      for (int64_t d = 0; d < count; ++d) to[d] += w * from[d];
    }
  }
}

}  // namespace blocks
