// SPDX-License-Identifier: Apache-2.0
// Positions and weights of some points at a time are worked out once, and serve all channels.
#include "blocks/bilinear.h"
#include "kernel.h"

extern "C" void grid_sample_random_warp(const float* x, const float* grid, float* y, int64_t N, int64_t C, int64_t H,
                                        int64_t W, int64_t OH, int64_t OW) {
  const blocks::Framed images = blocks::framed(x, N * C, H, W);
  const int64_t area = OH * OW;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t first = 0; first < area; first += blocks::Points::most) {
      const int64_t count = std::min(blocks::Points::most, area - first);
      const float* point = grid + (n * area + first) * 2;
      blocks::Points points;
#pragma omp simd
      for (int64_t i = 0; i < count; ++i)
        points.set(i, ((point[2 * i + 1] + 1.0) * H - 1) / 2, ((point[2 * i] + 1.0) * W - 1) / 2, images);
      for (int64_t c = n * C; c < (n + 1) * C; ++c)
        points.sample(images.image(c), images.row, count, y + c * area + first);
    }
}
