// SPDX-License-Identifier: Apache-2.0
// Each image is doubled into a buffer; then each pixel samples it.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

// Between pixels a and b, of which a is nearer.
float nearer(float a, float b) { return 0.75f * a + 0.25f * b; }

void doubled(const float* x, int64_t H, int64_t W, float* y) {
  const auto other = [](int64_t i, int64_t count) { return std::clamp<int64_t>(i % 2 == 0 ? i / 2 - 1 : i / 2 + 1, 0, count - 1); };
  std::vector<float> line(W);
  for (int64_t i = 0; i < 2 * H; ++i) {
    const float *row = x + i / 2 * W, *beside = x + other(i, H) * W;
    for (int64_t j = 0; j < W; ++j) line[j] = nearer(row[j], beside[j]);
    for (int64_t j = 0; j < 2 * W; ++j) y[i * 2 * W + j] = nearer(line[j / 2], line[other(j, W)]);
  }
}

void warp(const float* x, const float* t, int64_t H, int64_t W, float* y) {
  const auto centre = [](int64_t i, int64_t count) { return static_cast<float>(2 * i + 1) / static_cast<float>(count) - 1; };
  const auto pixel = [&](int64_t r, int64_t q) { return r < 0 || r >= H || q < 0 || q >= W ? 0.0f : x[r * W + q]; };
  for (int64_t i = 0; i < H; ++i)
    for (int64_t j = 0; j < W; ++j) {
      const float px = centre(j, W), py = centre(i, H);
      const float gx = t[0] * px + t[1] * py + t[2], gy = t[3] * px + t[4] * py + t[5];
      const float at_x = ((gx + 1) * static_cast<float>(W) - 1) / 2, at_y = ((gy + 1) * static_cast<float>(H) - 1) / 2;
      float value = 0;
      if (at_x > -1 && at_x < static_cast<float>(W) && at_y > -1 && at_y < static_cast<float>(H)) {
        const float left = std::floor(at_x), top = std::floor(at_y), wx = at_x - left, wy = at_y - top;
        const auto column = static_cast<int64_t>(left), row = static_cast<int64_t>(top);
        value = (1 - wy) * ((1 - wx) * pixel(row, column) + wx * pixel(row, column + 1)) +
                wy * ((1 - wx) * pixel(row + 1, column) + wx * pixel(row + 1, column + 1));
      }
      y[i * W + j] = value;
    }
}

}  // namespace

void upsample_affine_warp(const float* x, const float* theta, float* y, int64_t N, int64_t C, int64_t H, int64_t W) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N * C; ++n) {
    std::vector<float> large(4 * H * W);
    doubled(x + n * H * W, H, W, large.data());
    warp(large.data(), theta + n / C * 6, 2 * H, 2 * W, y + n * 4 * H * W);
  }
}
