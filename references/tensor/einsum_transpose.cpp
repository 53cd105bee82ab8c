// SPDX-License-Identifier: Apache-2.0
#include "blocks/transpose.h"

#include <algorithm>

#include "kernel.h"

void einsum_transpose(const float* x, float* y, int64_t N, int64_t C) {
  constexpr int64_t tile = blocks::kTile;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t j = 0; j < C; j += tile)
    for (int64_t i = 0; i < N; i += tile) {
      if (i + tile <= N && j + tile <= C) {
        blocks::transpose_tile(x + i * C + j, C, y + j * N + i, N);
        continue;
      }
      for (int64_t k = j; k < std::min(j + tile, C); ++k)
        for (int64_t h = i; h < std::min(i + tile, N); ++h) y[k * N + h] = x[h * C + k];
    }
}
