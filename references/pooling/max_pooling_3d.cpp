// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace {

struct Range {
  int64_t first, last;
};

// The part of window i, of three elements with stride 2 and one element of padding, that lies inside `size` elements.
inline Range window(int64_t i, int64_t size) { return {std::max<int64_t>(2 * i - 1, 0), std::min(2 * i + 2, size)}; }

}  // namespace

void max_pooling_3d(const float* x, float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t OD, int64_t OH, int64_t OW) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t volume = 0; volume < N * C; ++volume)
    for (int64_t od = 0; od < OD; ++od)
      for (int64_t oh = 0; oh < OH; ++oh)
        for (int64_t ow = 0; ow < OW; ++ow) {
          const Range slices = window(od, D), rows = window(oh, H), columns = window(ow, W);
          float value = -INFINITY;
          for (int64_t d = slices.first; d < slices.last; ++d)
            for (int64_t h = rows.first; h < rows.last; ++h) {
              const int64_t row = ((volume * D + d) * H + h) * W;
              for (int64_t w = columns.first; w < columns.last; ++w) value = std::max(value, x[row + w]);
            }
          y[((volume * OD + od) * OH + oh) * OW + ow] = value;
        }
}
