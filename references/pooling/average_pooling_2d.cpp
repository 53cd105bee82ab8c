// SPDX-License-Identifier: Apache-2.0
// The rows of a line of windows are added first, which runs over neighbouring columns; then the columns of each window.
#include <vector>

#include "kernel.h"

void average_pooling_2d(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t OH, int64_t OW) {
  constexpr int64_t window = 11, stride = 11;
#pragma omp parallel
  {
    std::vector<float> line;
#pragma omp for collapse(2) schedule(static)
    for (int64_t plane = 0; plane < N * C; ++plane)
      for (int64_t oh = 0; oh < OH; ++oh) {
        const float* rows = x + (plane * H + oh * stride) * W;
        line.assign(rows, rows + W);
        for (int64_t h = 1; h < window; ++h)
#pragma omp simd
          for (int64_t w = 0; w < W; ++w) line[w] += rows[h * W + w];
        for (int64_t ow = 0; ow < OW; ++ow) {
          float sum = 0;
          for (int64_t w = 0; w < window; ++w) sum += line[ow * stride + w];
          y[(plane * OH + oh) * OW + ow] = sum / (window * window);
        }
      }
  }
}
