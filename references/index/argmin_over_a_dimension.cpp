// SPDX-License-Identifier: Apache-2.0
// A strip of neighbouring columns goes down the matrix together: the best value and its position are kept for each
// column, and replaced only by something strictly smaller, so the first of equals stays.
#include <algorithm>

#include "kernel.h"

namespace {

constexpr int64_t kStrip = 512;

void search_strip(const float* x, int64_t* y, int64_t M, int64_t stride, int64_t width) {
  float best[kStrip];
  int32_t position[kStrip] = {};  // as wide as a float: a vector of one fits a vector of the other
  std::copy(x, x + width, best);
  for (int64_t m = 1; m < M; ++m) {
    const float* row = x + m * stride;
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) {
      const bool better = row[i] < best[i];
      best[i] = better ? row[i] : best[i];
      position[i] = better ? static_cast<int32_t>(m) : position[i];
    }
  }
  std::copy(position, position + width, y);
}

}  // namespace

void argmin_over_a_dimension(const float* x, int64_t* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t i = 0; i < N; i += kStrip)
      search_strip(x + b * M * N + i, y + b * N + i, M, N, std::min(kStrip, N - i));
}
