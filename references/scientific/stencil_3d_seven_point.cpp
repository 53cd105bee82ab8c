// SPDX-License-Identifier: Apache-2.0
#include "blocks/grid.h"

#include "kernel.h"

void stencil_3d_seven_point(const float* x, float* y, int64_t D, int64_t H, int64_t W) {
  const int64_t plane = H * W;
  blocks::inner_lines(x, y, D, H, W, [=](int64_t first, float* to) {
    const float* row = x + first;
    blocks::inner_row(row, to, W, [=](int64_t j) {
      return 0.4f * row[j] + 0.1f * ((row[j - plane] + row[j + plane]) + (row[j - W] + row[j + W]) + (row[j - 1] + row[j + 1]));
    });
  });
}
