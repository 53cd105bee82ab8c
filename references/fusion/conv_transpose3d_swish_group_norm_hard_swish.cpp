// SPDX-License-Identifier: Apache-2.0
// The transposed convolution as a product of matrices first, then its volumes one by one.
#include "blocks/vector_math.h"

#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace {

/// Mean 0 and variance 1, but for the 1e-5 below the root.
void normalize(float* z, int64_t size) {
  double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  const double mean = sum / size;
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < size; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const double factor = 1 / std::sqrt(squares / size + 1e-5);
  for (int64_t i = 0; i < size; ++i) z[i] = static_cast<float>((z[i] - mean) * factor);
}

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
    normalize(z, channels * size);
    for (int64_t plane = group * channels; plane < (group + 1) * channels; ++plane) {
      const float factor = scale[plane % O], shift = bias[plane % O];
      for (int64_t i = plane * size; i < (plane + 1) * size; ++i) y[i] = hard_swish(y[i] * factor + shift);
    }
  }
}
