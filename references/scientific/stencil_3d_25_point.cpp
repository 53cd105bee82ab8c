// SPDX-License-Identifier: Apache-2.0
// Plane after plane of a strip of rows, so that the nine planes of a strip stay in cache.
#include <algorithm>

#include "kernel.h"

void stencil_3d_25_point(const float* x, const float* weights, float* y, int64_t D, int64_t H, int64_t W) {
  constexpr int64_t radius = 4, strip = 32;
  const int64_t pitch = W + 2 * radius, plane = (H + 2 * radius) * pitch;
  const float w0 = weights[0], w1 = weights[1], w2 = weights[2], w3 = weights[3], w4 = weights[4];
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t begin = 0; begin < H; begin += strip)
    for (int64_t d = 0; d < D; ++d)
      for (int64_t i = begin; i < std::min(begin + strip, H); ++i) {
        const float* row = x + (d + radius) * plane + (i + radius) * pitch + radius;
        const auto ring = [=](int64_t j, int64_t k) {
          return (row[j - k * plane] + row[j + k * plane]) + (row[j - k * pitch] + row[j + k * pitch]) + (row[j - k] + row[j + k]);
        };
        float* to = y + (d * H + i) * W;
#pragma omp simd
        for (int64_t j = 0; j < W; ++j) to[j] = w0 * row[j] + w1 * ring(j, 1) + w2 * ring(j, 2) + w3 * ring(j, 3) + w4 * ring(j, 4);
      }
}
