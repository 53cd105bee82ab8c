// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void index_add(const float* x, const int64_t* index, const float* source, float* y, int64_t N, int64_t C, int64_t K) {
  constexpr int64_t strip = 64;  // columns that belong to one thread
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < C; first += strip) {
    const int64_t last = std::min(first + strip, C);
    for (int64_t n = 0; n < N; ++n) std::copy(x + n * C + first, x + n * C + last, y + n * C + first);
    for (int64_t k = 0; k < K; ++k)
      for (int64_t c = first; c < last; ++c) y[index[k] * C + c] += source[k * C + c];
  }
}
