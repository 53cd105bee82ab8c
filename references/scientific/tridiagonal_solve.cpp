// SPDX-License-Identifier: Apache-2.0
// Thomas' algorithm on as many systems at a time as a tile has rows; between them lie the tiles' columns.
#include "blocks/transpose.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

using blocks::kTile;

/// to[j, i] = x[i, j], where a row of `to` has kTile elements.
void take(const float* x, int64_t rows, int64_t N, float* to) {
  for (int64_t begin = 0; begin < N; begin += kTile) {
    if (rows == kTile && begin + kTile <= N) {
      blocks::transpose_tile(x + begin, N, to + begin * kTile, kTile);
      continue;
    }
    for (int64_t j = begin; j < std::min(begin + kTile, N); ++j)
      for (int64_t i = 0; i < rows; ++i) to[j * kTile + i] = x[i * N + j];
  }
}

/// The way back.
void give(const float* x, int64_t rows, int64_t N, float* to) {
  for (int64_t begin = 0; begin < N; begin += kTile) {
    if (rows == kTile && begin + kTile <= N) {
      blocks::transpose_tile(x + begin * kTile, kTile, to + begin, N);
      continue;
    }
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = begin; j < std::min(begin + kTile, N); ++j) to[i * N + j] = x[j * kTile + i];
  }
}

}  // namespace

void tridiagonal_solve(const float* lower, const float* diagonal, const float* upper, const float* right, float* x, int64_t B, int64_t N) {
#pragma omp parallel
  {
    std::vector<float> tiles(4 * N * kTile);
    float *below = tiles.data(), *pivots = below + N * kTile, *above = pivots + N * kTile, *sides = above + N * kTile;
#pragma omp for schedule(static)
    for (int64_t b = 0; b < B; b += kTile) {
      const int64_t rows = std::min<int64_t>(kTile, B - b), first = b * N;
      take(lower + first, rows, N, below);
      take(diagonal + first, rows, N, pivots);
      take(upper + first, rows, N, above);
      take(right + first, rows, N, sides);
      float ratio[kTile] = {}, last[kTile] = {};
      std::fill_n(below, kTile, 0.0f);
      for (int64_t j = 0; j < N * kTile; j += kTile)
#pragma omp simd
        for (int i = 0; i < kTile; ++i) {
          const float inverse = 1.0f / (pivots[j + i] - below[j + i] * ratio[i]);
          last[i] = sides[j + i] = (sides[j + i] - below[j + i] * last[i]) * inverse;
          ratio[i] = above[j + i] = above[j + i] * inverse;
        }
      for (int64_t j = (N - 2) * kTile; j >= 0; j -= kTile)
#pragma omp simd
        for (int i = 0; i < kTile; ++i) sides[j + i] -= above[j + i] * sides[j + kTile + i];
      give(sides, rows, N, x + first);
    }
  }
}
