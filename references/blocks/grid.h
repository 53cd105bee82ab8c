// SPDX-License-Identifier: Apache-2.0
// Grids whose inner points follow from those around them, and whose outermost points are copied.
#pragma once

#include <algorithm>
#include <cstdint>

namespace blocks {

/// A row of a grid: its two ends are copied, to[j] = point(j) between them.
template <typename Point>
inline void inner_row(const float* row, float* to, int64_t W, const Point& point) {
  to[0] = row[0];
#pragma omp simd
  for (int64_t j = 1; j < W - 1; ++j) to[j] = point(j);
  to[W - 1] = row[W - 1];
}

/// y[at] = point(at) for the inner points of x[H, W], where `at` counts all points.
template <typename Point>
inline void inner_points(const float* x, float* y, int64_t H, int64_t W, const Point& point) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < H; ++i) {
    const int64_t first = i * W;
    if (i == 0 || i == H - 1) std::copy_n(x + first, W, y + first);
    else inner_row(x + first, y + first, W, [&](int64_t j) { return point(first + j); });
  }
}

/// The same of x[D, H, W], row by row: line(first, to) writes the row that begins at point `first`, ends and all.
template <typename Line>
inline void inner_lines(const float* x, float* y, int64_t D, int64_t H, int64_t W, const Line& line) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t d = 0; d < D; ++d)
    for (int64_t i = 0; i < H; ++i) {
      const int64_t first = (d * H + i) * W;
      if (d == 0 || d == D - 1 || i == 0 || i == H - 1) std::copy_n(x + first, W, y + first);
      else line(first, y + first);
    }
}

}  // namespace blocks
