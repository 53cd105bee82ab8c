// SPDX-License-Identifier: Apache-2.0
// The transposed convolution as a product of matrices first, then its volumes one by one.
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

}  // namespace

extern "C" void convtranspose3d_relu_groupnorm(const float* x, const float* w, const float* scale, const float* bias, float* y, int64_t N,
                                               int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (D + 2) * (H + 2) * (W + 2), channels = O / 8;
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = {D + 2, 3, D}, .height = {H + 2, 3, H}, .width = {W + 2, 3, W}}, x, w, nullptr, y);
#pragma omp parallel for schedule(static)
  for (int64_t group = 0; group < N * 8; ++group) {
    float* z = y + group * channels * size;
    for (int64_t i = 0; i < channels * size; ++i) z[i] = std::max(z[i], 0.0f);
    normalize(z, channels * size);
    for (int64_t plane = group * channels; plane < (group + 1) * channels; ++plane) {
      const float factor = scale[plane % O], shift = bias[plane % O];
      for (int64_t i = plane * size; i < (plane + 1) * size; ++i) y[i] = y[i] * factor + shift;
    }
  }
}
