// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

void max_pooling_2d_ceil(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t OH, int64_t OW) {
  constexpr int64_t window = 3, stride = 2;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t plane = 0; plane < N * C; ++plane)
    for (int64_t oh = 0; oh < OH; ++oh)
      for (int64_t ow = 0; ow < OW; ++ow) {
        const int64_t bottom = std::min(oh * stride + window, H), right = std::min(ow * stride + window, W);
        float value = -INFINITY;
        for (int64_t h = oh * stride; h < bottom; ++h) {
          const int64_t row = (plane * H + h) * W;
          for (int64_t w = ow * stride; w < right; ++w) value = std::max(value, x[row + w]);
        }
        y[(plane * OH + oh) * OW + ow] = value;
      }
}
