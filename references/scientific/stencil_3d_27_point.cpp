// SPDX-License-Identifier: Apache-2.0
// Of the eight rows around each row, the four beside it and the four across from it are added first: three rows are left to be combined.
#include "blocks/grid.h"

#include <vector>

#include "kernel.h"

void stencil_3d_27_point(const float* x, const float* weights, float* y, int64_t D, int64_t H, int64_t W) {
  const int64_t plane = H * W;
  const float w0 = weights[0], w1 = weights[1], w2 = weights[2], w3 = weights[3];
  blocks::inner_lines(x, y, D, H, W, [=](int64_t first, float* to) {
    thread_local std::vector<float> sums;
    if (std::ssize(sums) < 2 * W) sums.resize(2 * W);
    float *beside = sums.data(), *across = beside + W;
    const float *row = x + first, *front = row - plane, *back = row + plane;
#pragma omp simd
    for (int64_t j = 0; j < W; ++j) {
      beside[j] = (front[j] + back[j]) + (row[j - W] + row[j + W]);
      across[j] = (front[j - W] + front[j + W]) + (back[j - W] + back[j + W]);
    }
    blocks::inner_row(row, to, W, [=](int64_t j) {
      return w0 * row[j] + w1 * ((row[j - 1] + row[j + 1]) + beside[j]) + w2 * ((beside[j - 1] + beside[j + 1]) + across[j]) +
             w3 * (across[j - 1] + across[j + 1]);
    });
  });
}
