// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its images one by one, in place.
#include "blocks/convolution.h"

#include <algorithm>

#include "kernel.h"

extern "C" void conv_transpose2d_bias_add_clamp_scaling_clamp_divide(const float* x, const float* w, const float* b, const float* v,
                                                                     float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (2 * H) * (2 * W);
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .height = {2 * H, 3, H, 2, 1}, .width = {2 * W, 3, W, 2, 1}}, x, w, b, y);
#pragma omp parallel for
  for (int64_t i = 0; i < N * O; ++i) {
    const float shift = v[i % O];
    for (int64_t j = i * size; j < (i + 1) * size; ++j) y[j] = std::clamp(y[j] + shift, 0.0f, 0.5f);
  }
}
