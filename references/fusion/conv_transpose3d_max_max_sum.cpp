// SPDX-License-Identifier: Apache-2.0
// The transposed convolution as a product of matrices first, then its volumes one by one.
// Threes of pairs are whole windows of six, and what lies in no whole window is left out.
#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void conv_transpose3d_max_max_sum(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t D,
                                             int64_t H, int64_t W, int64_t O) {
  constexpr int64_t P = 6;
  const int64_t OD = (2 * D - 1) / P, OH = (2 * H - 1) / P, OW = (2 * W - 1) / P, row = P * OW, size = OD * OH * OW;
  std::vector<float> z(N * O * P * P * P * size), most(N * O * size);
  const blocks::Axis depth{P * OD, 5, D, 2, 2}, height{P * OH, 5, H, 2, 2}, width{P * OW, 5, W, 2, 2};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, b, z.data());
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * O * OD * OH; ++i) {
    std::vector<float> columns(row, -INFINITY);
    for (int64_t p = 0; p < P * P; ++p) {
      const float* from = &z[((i / OH * P + p / P) * P * OH + i % OH * P + p % P) * row];
      for (int64_t j = 0; j < row; ++j) columns[j] = std::max(columns[j], from[j]);
    }
    for (int64_t j = 0; j < OW; ++j) most[i * OW + j] = *std::max_element(&columns[j * P], &columns[j * P] + P);
  }
  for (int64_t i = 0; i < N * size; ++i) {
    float sum = 0;
    for (int64_t o = 0; o < O; ++o) sum += most[(i / size * O + o) * size + i % size];
    y[i] = sum;
  }
}
