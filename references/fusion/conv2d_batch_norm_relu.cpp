// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its images one by one, in place.
#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

void conv2d_batch_norm_relu(const float* x, const float* w, const float* mean, const float* variance, const float* scale, const float* bias,
                            float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  blocks::convolve({.N = N, .C = C, .O = O, .height = {H, 3, H, 1, 1}, .width = {W, 3, W, 1, 1}}, x, w, nullptr, y);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N * O; ++n) {
    const float center = mean[n % O], factor = scale[n % O] / std::sqrt(variance[n % O] + 1e-5f), shift = bias[n % O];
    for (int64_t i = n * H * W; i < (n + 1) * H * W; ++i) y[i] = std::max((y[i] - center) * factor + shift, 0.0f);
  }
}
