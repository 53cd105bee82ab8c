// SPDX-License-Identifier: Apache-2.0
// Position and weights of a point are worked out once, in double (a pixel coordinate has lost digits that the
// point still has), and serve all channels. A point whose four neighbours lie inside takes the short way.
#include <cmath>
#include <cstdint>

#include "kernel.h"

namespace {

struct Image {
  const float* x;
  int64_t C, H, W;
};

// Writes the sample of every channel at pixel position (row, column), `stride` apart.
void sample(const Image& image, double row, double column, float* y, int64_t stride) {
  const auto [x, C, H, W] = image;
  const bool touches = row > -1 && row < H && column > -1 && column < W;  // false for NaN, too
  if (!touches) {
    for (int64_t c = 0; c < C; ++c) y[c * stride] = 0;
    return;
  }
  const int64_t h = std::floor(row);
  const int64_t w = std::floor(column);
  // Each weight is rounded once: a point close to the next pixel would otherwise lose the weight's digits.
  const double down = row - h, up = 1 - down;
  const double right = column - w, left = 1 - right;
  const float weight[4] = {static_cast<float>(up * left), static_cast<float>(up * right),
                           static_cast<float>(down * left), static_cast<float>(down * right)};
  const float* corner = x + h * W + w;
  if (h >= 0 && h + 1 < H && w >= 0 && w + 1 < W) {
    for (int64_t c = 0; c < C; ++c, corner += H * W)
      y[c * stride] = (weight[0] * corner[0] + weight[1] * corner[1]) +
                      (weight[2] * corner[W] + weight[3] * corner[W + 1]);
    return;
  }
  for (int64_t c = 0; c < C; ++c) {
    float sum = 0;
    for (int64_t i = 0; i < 4; ++i) {
      const int64_t r = h + i / 2, s = w + i % 2;
      if (r >= 0 && r < H && s >= 0 && s < W) sum += weight[i] * x[(c * H + r) * W + s];
    }
    y[c * stride] = sum;
  }
}

}  // namespace

extern "C" void grid_sample_random_warp(const float* x, const float* grid, float* y, int64_t N, int64_t C,
                                        int64_t H, int64_t W, int64_t OH, int64_t OW) {
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t oh = 0; oh < OH; ++oh) {
      const Image image = {x + n * C * H * W, C, H, W};
      const float* points = grid + (n * OH + oh) * OW * 2;
      float* out = y + (n * C * OH + oh) * OW;
      for (int64_t ow = 0; ow < OW; ++ow) {
        const double column = ((points[2 * ow] + 1.0) * W - 1) / 2;
        const double row = ((points[2 * ow + 1] + 1.0) * H - 1) / 2;
        sample(image, row, column, out + ow, OH * OW);
      }
    }
  }
}
