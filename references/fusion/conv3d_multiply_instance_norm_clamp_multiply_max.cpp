// SPDX-License-Identifier: Apache-2.0
// The convolution as a product of matrices first, then its volumes one by one.
#include "blocks/convolution.h"
#include "blocks/normalize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void conv3d_multiply_instance_norm_clamp_multiply_max(const float* x, const float* w, const float* v, float* y, int64_t N,
                                                                 int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t slice = (H - 2) * (W - 2), size = (D - 2) * slice;
  std::vector<float> z(N * O * size);
  blocks::convolve({.N = N, .C = C, .O = O, .depth = {D, 3, D - 2}, .height = {H, 3, H - 2}, .width = {W, 3, W - 2}}, x, w, nullptr, z.data());
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < N * O; ++plane) {
    const float factor = v[plane % O];
    float* own = &z[plane * size];
    for (int64_t i = 0; i < size; ++i) own[i] *= factor;
    blocks::normalize(own, size);
    for (int64_t i = 0; i < size; ++i) own[i] = std::min(std::max(own[i], -1.0f), 1.0f) * factor;
  }
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t d = 0; d < D - 2; ++d) {
      float* most = y + n * size + d * slice;
      std::fill_n(most, slice, -INFINITY);
      for (int64_t o = 0; o < O; ++o) {
        const float* from = &z[(n * O + o) * size + d * slice];
        for (int64_t i = 0; i < slice; ++i) most[i] = std::max(most[i], from[i]);
      }
    }
}
