// SPDX-License-Identifier: Apache-2.0
// The transposed convolution as a product of matrices first, then its volumes one by one.
#include "blocks/convolution.h"
#include "blocks/normalize.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

extern "C" void convtranspose3d_relu_groupnorm(const float* x, const float* w, const float* scale, const float* bias, float* y, int64_t N,
                                               int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (D + 2) * (H + 2) * (W + 2), channels = O / 8;
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = {D + 2, 3, D}, .height = {H + 2, 3, H}, .width = {W + 2, 3, W}}, x, w, nullptr, y);
#pragma omp parallel for schedule(static)
  for (int64_t group = 0; group < N * 8; ++group) {
    float* z = y + group * channels * size;
    for (int64_t i = 0; i < channels * size; ++i) z[i] = std::max(z[i], 0.0f);
    blocks::normalize(z, channels * size);
    for (int64_t plane = group * channels; plane < (group + 1) * channels; ++plane) {
      const float factor = scale[plane % O], shift = bias[plane % O];
      for (int64_t i = plane * size; i < (plane + 1) * size; ++i) y[i] = y[i] * factor + shift;
    }
  }
}
