// SPDX-License-Identifier: Apache-2.0
// The rows of a line of windows are compared first, which runs over neighbouring columns; then the columns of each window.
#include <algorithm>
#include <vector>

#include "kernel.h"

void max_pooling_2d_eleven_by_eleven(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t OH, int64_t OW) {
  constexpr int64_t window = 11;
#pragma omp parallel
  {
    std::vector<float> line;
#pragma omp for collapse(2) schedule(static)
    for (int64_t plane = 0; plane < N * C; ++plane)
      for (int64_t oh = 0; oh < OH; ++oh) {
        const float* rows = x + (plane * H + oh * window) * W;
        line.assign(rows, rows + W);
        for (int64_t h = 1; h < window; ++h)
#pragma omp simd
          for (int64_t w = 0; w < W; ++w) line[w] = std::max(line[w], rows[h * W + w]);
        for (int64_t ow = 0; ow < OW; ++ow) {
          const float* columns = line.data() + ow * window;
          y[(plane * OH + oh) * OW + ow] = *std::max_element(columns, columns + window);
        }
      }
  }
}
