// SPDX-License-Identifier: Apache-2.0
// For each j and k a transposition, by tiles: a line of the cache that was read for one l serves the next ones.
#include <algorithm>

#include "kernel.h"

void permute_reversed_axes(const float* x, float* y, int64_t I, int64_t J, int64_t K, int64_t L) {
  constexpr int64_t tile = 16;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t l0 = 0; l0 < L; l0 += tile)
    for (int64_t k = 0; k < K; ++k)
      for (int64_t j = 0; j < J; ++j)
        for (int64_t i0 = 0; i0 < I; i0 += tile)
          for (int64_t l = l0; l < std::min(l0 + tile, L); ++l)
            for (int64_t i = i0; i < std::min(i0 + tile, I); ++i) y[((l * K + k) * J + j) * I + i] = x[((i * J + j) * K + k) * L + l];
}
