// SPDX-License-Identifier: Apache-2.0
// The transposed convolution as a product of matrices first, then its volumes one by one.
#include "blocks/vector_math.h"

#include "blocks/convolution.h"
#include "blocks/normalize.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace {

float hard_swish(float z) { return z * std::min(std::max(z / 6 + 0.5f, 0.0f), 1.0f); }

}  // namespace

extern "C" void conv_transpose3d_swish_group_norm_hard_swish(const float* x, const float* w, const float* b, const float* scale,
                                                             const float* bias, float* y, int64_t N, int64_t C, int64_t D, int64_t H,
                                                             int64_t W, int64_t O) {
  const int64_t OD = 2 * D - 1, OH = 2 * H - 1, OW = 2 * W - 1, size = OD * OH * OW, channels = O / 4;
  const blocks::Axis depth{OD, 3, D, 2, 1}, height{OH, 3, H, 2, 1}, width{OW, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, b, y);
#pragma omp parallel for schedule(static)
  for (int64_t group = 0; group < N * 4; ++group) {
    float* z = y + group * channels * size;
    for (int64_t i = 0; i < channels * size; ++i) z[i] *= blocks::sigmoid(z[i]);
    blocks::normalize(z, channels * size);
    for (int64_t plane = group * channels; plane < (group + 1) * channels; ++plane) {
      const float factor = scale[plane % O], shift = bias[plane % O];
      for (int64_t i = plane * size; i < (plane + 1) * size; ++i) y[i] = hard_swish(y[i] * factor + shift);
    }
  }
}
