// SPDX-License-Identifier: Apache-2.0
// Each thread adds to columns of its own, so that no two meet in a row.
#include <algorithm>

#include "kernel.h"

extern "C" void index_add_rows(const float* x, const int64_t* indices, const float* rows, float* y, int64_t V, int64_t D, int64_t K) {
  constexpr int64_t block = 64;
#pragma omp parallel for
  for (int64_t begin = 0; begin < D; begin += block) {
    const int64_t count = std::min(block, D - begin);
    for (int64_t v = 0; v < V; ++v) std::copy_n(x + v * D + begin, count, y + v * D + begin);
    for (int64_t k = 0; k < K; ++k) {
      const float* from = rows + k * D + begin;
      float* to = y + indices[k] * D + begin;
      for (int64_t d = 0; d < count; ++d) to[d] += from[d];
    }
  }
}
