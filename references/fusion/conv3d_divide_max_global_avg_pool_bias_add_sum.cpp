// SPDX-License-Identifier: Apache-2.0
// The convolution as a product of matrices first, then its volumes one by one.
// What lies in no whole window is left out.
#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The mean of the largest of each window of 2 by 2 by 2, side by side, of a volume of 2 D by 2 H by 2 W.
float mean_of_largest(const float* z, int64_t D, int64_t H, int64_t W) {
  double sum = 0;
  for (int64_t i = 0; i < D * H; ++i) {
    std::vector<float> columns(2 * W, -INFINITY);
    for (int64_t p = 0; p < 4; ++p) {
      const float* from = z + ((i / H * 2 + p / 2) * 2 * H + i % H * 2 + p % 2) * 2 * W;
      for (int64_t j = 0; j < 2 * W; ++j) columns[j] = std::max(columns[j], from[j]);
    }
#pragma omp simd reduction(+ : sum)
    for (int64_t j = 0; j < W; ++j) sum += std::max(columns[2 * j], columns[2 * j + 1]);
  }
  return static_cast<float>(sum / (D * H * W));
}

}  // namespace

extern "C" void conv3d_divide_max_global_avg_pool_bias_add_sum(const float* x, const float* w, const float* b, const float* v, float* y,
                                                               int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t OD = (D - 2) / 2, OH = (H - 2) / 2, OW = (W - 2) / 2, size = 8 * OD * OH * OW;
  std::vector<float> z(N * O * size), means(N * O);
  blocks::convolve({.N = N, .C = C, .O = O, .depth = {D, 3, 2 * OD}, .height = {H, 3, 2 * OH}, .width = {W, 3, 2 * OW}}, x, w, b, z.data());
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < N * O; ++plane) means[plane] = mean_of_largest(&z[plane * size], OD, OH, OW);
  for (int64_t n = 0; n < N; ++n) {
    double sum = 0;
    for (int64_t o = 0; o < O; ++o) sum += means[n * O + o] / 2 + v[o];
    y[n] = static_cast<float>(sum);
  }
}
