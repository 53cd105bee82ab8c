// SPDX-License-Identifier: Apache-2.0
// Positions and weights of some pixels of a row are worked out once, and serve all channels.
#include "blocks/bilinear.h"
#include "kernel.h"

void affine_warp(const float* x, const float* theta, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t OH,
                 int64_t OW) {
  const blocks::Framed images = blocks::framed(x, N * C, H, W);
  const auto centre = [](int64_t i, int64_t count) {
    return static_cast<double>(2 * i + 1) / static_cast<double>(count) - 1;
  };
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < OH; ++i)
      for (int64_t first = 0; first < OW; first += blocks::Points::most) {
        const int64_t count = std::min(blocks::Points::most, OW - first);
        const float* t = theta + n * 6;
        const double py = centre(i, OH);
        blocks::Points points;
#pragma omp simd
        for (int64_t j = 0; j < count; ++j) {
          const double px = centre(first + j, OW), to_x = t[0] * px + t[1] * py + t[2],
                       to_y = t[3] * px + t[4] * py + t[5];
          points.set(j, ((to_y + 1) * H - 1) / 2, ((to_x + 1) * W - 1) / 2, images);
        }
        for (int64_t c = n * C; c < (n + 1) * C; ++c)
          points.sample(images.image(c), images.row, count, y + (c * OH + i) * OW + first);
      }
}
