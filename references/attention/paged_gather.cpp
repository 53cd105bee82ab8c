// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void paged_gather(const float* pages, const int64_t* page_table, const int64_t* lengths, float* y, [[maybe_unused]] int64_t P,
                             int64_t S, int64_t D, int64_t B, int64_t M, [[maybe_unused]] int64_t L) {
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t m = 0; m < M; ++m) {
      const int64_t rows = std::clamp<int64_t>(lengths[b] - m * S, 0, S);
      float* rest = std::copy_n(pages + page_table[b * M + m] * S * D, rows * D, y + (b * M + m) * S * D);
      std::fill_n(rest, (S - rows) * D, 0.0f);
    }
}
