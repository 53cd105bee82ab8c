// SPDX-License-Identifier: Apache-2.0
// In a band of rows the black points follow the red ones at a distance of one row. Black points of a band's first and last row need red
// ones of other bands: they come when all bands are done.
#include <algorithm>

#include "kernel.h"

namespace {

struct Grid {
  float* u;
  const float* f;
  float h2;
  int64_t H, W;

  /// Relaxes the inner points of row i that have i + j even (colour 0) or odd (colour 1).
  void relax(int64_t i, int64_t colour) const {
    if (i == 0 || i == H - 1) return;
    float* row = u + i * W;
    const float *above = row - W, *below = row + W, *source = f + i * W;
#pragma omp simd
    for (int64_t j = 2 - (i + colour) % 2; j < W - 1; j += 2)
      row[j] = 0.25f * ((above[j] + below[j]) + (row[j - 1] + row[j + 1]) + h2 * source[j]);
  }
};

}  // namespace

void red_black_gauss_seidel_sweep(float* u, const float* f, const float* h2, int64_t H, int64_t W) {
  constexpr int64_t band = 64;
  const Grid grid{u, f, h2[0], H, W};
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int64_t begin = 0; begin < H; begin += band)
      for (int64_t i = begin; i < std::min(begin + band, H); ++i) {
        grid.relax(i, 0);
        if (i > begin + 1) grid.relax(i - 1, 1);
      }
#pragma omp for schedule(static)
    for (int64_t begin = 0; begin < H; begin += band) {
      const int64_t last = std::min(begin + band, H) - 1;
      grid.relax(begin, 1);
      if (last > begin) grid.relax(last, 1);
    }
  }
}
