// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

void bilinear_upsample(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t OH, int64_t OW) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t c = 0; c < C; ++c) {
      const float* image = x + (n * C + c) * H * W;
      for (int64_t oh = 0; oh < OH; ++oh) {
        for (int64_t ow = 0; ow < OW; ++ow) {
          float row = (oh + 0.5f) / 2 - 0.5f, column = (ow + 0.5f) / 2 - 0.5f;
          float down = row - std::floor(row), right = column - std::floor(column);
          int64_t h0 = std::floor(row), w0 = std::floor(column);
          int64_t h1 = std::min(h0 + 1, H - 1), w1 = std::min(w0 + 1, W - 1);
          h0 = std::max(h0, (int64_t)0);
          w0 = std::max(w0, (int64_t)0);
          float top = (1 - right) * image[h0 * W + w0] + right * image[h0 * W + w1];
          float bottom = (1 - right) * image[h1 * W + w0] + right * image[h1 * W + w1];
          y[((n * C + c) * OH + oh) * OW + ow] = (1 - down) * top + down * bottom;
        }
      }
    }
  }
}
