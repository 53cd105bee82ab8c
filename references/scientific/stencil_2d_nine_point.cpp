// SPDX-License-Identifier: Apache-2.0
#include "blocks/grid.h"

#include "kernel.h"

void stencil_2d_nine_point(const float* x, const float* weights, float* y, int64_t H, int64_t W) {
  const float own = weights[0], straight = weights[1], diagonal = weights[2];
  blocks::inner_points(x, y, H, W, [=](int64_t at) {
    const float *above = x + at - W, *row = x + at, *below = x + at + W;
    return own * row[0] + straight * ((above[0] + below[0]) + (row[-1] + row[1])) +
           diagonal * ((above[-1] + below[-1]) + (above[1] + below[1]));
  });
}
