// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

static float pixel(const float* image, float row, float column, int64_t H, int64_t W) {
  if (row >= 0 && row < H && column >= 0 && column < W) return image[(int64_t)row * W + (int64_t)column];
  return 0;
}

void grid_sample_random_warp(const float* x, const float* grid, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t OH,
                             int64_t OW) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t c = 0; c < C; ++c) {
      const float* image = x + (n * C + c) * H * W;
      for (int64_t oh = 0; oh < OH; ++oh) {
        for (int64_t ow = 0; ow < OW; ++ow) {
          const float* point = grid + ((n * OH + oh) * OW + ow) * 2;
          float column = ((point[0] + 1) * W - 1) / 2, row = ((point[1] + 1) * H - 1) / 2;
          float w0 = std::floor(column), h0 = std::floor(row);
          float right = column - w0, down = row - h0;
          y[((n * C + c) * OH + oh) * OW + ow] =
              (1 - down) * (1 - right) * pixel(image, h0, w0, H, W) + (1 - down) * right * pixel(image, h0, w0 + 1, H, W) +
              down * (1 - right) * pixel(image, h0 + 1, w0, H, W) + down * right * pixel(image, h0 + 1, w0 + 1, H, W);
        }
      }
    }
  }
}
