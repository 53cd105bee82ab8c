// SPDX-License-Identifier: Apache-2.0
// Each thread adds to columns of its own, so that no two meet in a row.
#include <algorithm>

#include "kernel.h"

extern "C" void embedding_backward(const float* dy, const int64_t* indices, const int64_t* padding, float* dtable, int64_t K, int64_t D,
                                   int64_t V) {
  constexpr int64_t block = 128;
#pragma omp parallel for
  for (int64_t begin = 0; begin < D; begin += block) {
    const int64_t count = std::min(block, D - begin);
    for (int64_t v = 0; v < V; ++v) std::fill_n(dtable + v * D + begin, count, 0.0f);
    for (int64_t k = 0; k < K; ++k) {
      if (indices[k] == *padding) continue;
      const float* from = dy + k * D + begin;
      float* to = dtable + indices[k] * D + begin;
      for (int64_t d = 0; d < count; ++d) to[d] += from[d];
    }
  }
}
