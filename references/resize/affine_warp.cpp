// SPDX-License-Identifier: Apache-2.0
// For each pixel the place in the image, then all channels.
#include <cmath>

#include "kernel.h"

void affine_warp(const float* x, const float* theta, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t OH, int64_t OW) {
  const auto centre = [](int64_t i, int64_t count) { return static_cast<float>(2 * i + 1) / static_cast<float>(count) - 1; };
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < OH; ++i)
      for (int64_t j = 0; j < OW; ++j) {
        const float *t = theta + n * 6, px = centre(j, OW), py = centre(i, OH);
        const float gx = t[0] * px + t[1] * py + t[2], gy = t[3] * px + t[4] * py + t[5];
        const float at_x = ((gx + 1) * static_cast<float>(W) - 1) / 2, at_y = ((gy + 1) * static_cast<float>(H) - 1) / 2;
        const bool near = at_x > -1 && at_x < static_cast<float>(W) && at_y > -1 && at_y < static_cast<float>(H);
        const float left = std::floor(at_x), top = std::floor(at_y), wx = at_x - left, wy = at_y - top;
        const int64_t column = near ? static_cast<int64_t>(left) : 0, row = near ? static_cast<int64_t>(top) : 0;
        for (int64_t c = 0; c < C; ++c) {
          const float* image = x + (n * C + c) * H * W;
          const auto pixel = [&](int64_t r, int64_t q) { return r < 0 || r >= H || q < 0 || q >= W ? 0.0f : image[r * W + q]; };
          y[((n * C + c) * OH + i) * OW + j] = near ? (1 - wy) * ((1 - wx) * pixel(row, column) + wx * pixel(row, column + 1)) +
                                                          wy * ((1 - wx) * pixel(row + 1, column) + wx * pixel(row + 1, column + 1))
                                                    : 0;
        }
      }
}
