// SPDX-License-Identifier: Apache-2.0
// The transposed convolution as a product of matrices first, then its volumes one by one.
// What lies in no whole window, the last slice, row and column, is left out.
#include "blocks/convolution.h"

#include <vector>

#include "kernel.h"

extern "C" void conv_transpose3d_scaling_avg_pool_bias_add_scaling(const float* x, const float* w, const float* b, const float* u,
                                                                   const float* v, const float* f, float* y, int64_t N, int64_t C,
                                                                   int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t OD = D - 1, OH = H - 1, OW = W - 1;
  std::vector<float> z(N * O * 8 * OD * OH * OW);
  const blocks::Axis depth{2 * OD, 3, D, 2, 1}, height{2 * OH, 3, H, 2, 1}, width{2 * OW, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, b, z.data());
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * O * OD * OH; ++i) {
    const float before = u[0], own = v[i / (OD * OH) % O], after = f[0];
    const float* from = &z[(i / OH * 4 * OH + i % OH * 2) * 2 * OW];
    const float* next = from + 4 * OH * OW;
    std::vector<float> columns(2 * OW);
    for (int64_t j = 0; j < 2 * OW; ++j) columns[j] = (from[j] + from[2 * OW + j]) + (next[j] + next[2 * OW + j]);
    for (int64_t j = 0; j < OW; ++j) y[i * OW + j] = ((columns[2 * j] + columns[2 * j + 1]) / 8 * before + own) * after;
  }
}
