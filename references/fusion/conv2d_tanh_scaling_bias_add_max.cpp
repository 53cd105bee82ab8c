// SPDX-License-Identifier: Apache-2.0
// The convolution as a product of matrices first, then its images one by one.
// What follows it does not decrease, so the largest of each whole window goes first.
#include "blocks/vector_math.h"

#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void conv2d_tanh_scaling_bias_add_max(const float* x, const float* w, const float* b, const float* v, float* y, int64_t N,
                                                 int64_t C, int64_t H, int64_t W, int64_t O) {
  constexpr int64_t P = 4;
  const int64_t OH = (H - 2) / P, OW = (W - 2) / P;
  std::vector<float> z(N * O * P * P * OH * OW);
  blocks::convolve({.N = N, .C = C, .O = O, .height = {H, 3, P * OH}, .width = {W, 3, P * OW}}, x, w, b, z.data());
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * O * OH; ++i) {
    const float own = v[i / OH % O];
    std::vector<float> columns(P * OW, -INFINITY);
    for (int64_t p = 0; p < P; ++p) {
      const float* from = &z[(i * P + p) * P * OW];
      for (int64_t j = 0; j < P * OW; ++j) columns[j] = std::max(columns[j], from[j]);
    }
    for (int64_t j = 0; j < OW; ++j) y[i * OW + j] = *std::max_element(&columns[j * P], &columns[j * P] + P);
    for (int64_t j = i * OW; j < (i + 1) * OW; ++j) y[j] = 2 * blocks::tanh(y[j]) + own;
  }
}
