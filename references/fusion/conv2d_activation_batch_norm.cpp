// SPDX-License-Identifier: Apache-2.0
// The convolution as a product of matrices first, then its images one by one.
#include "blocks/vector_math.h"

#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace {

float mish(float z) {
  const float softplus = std::max(z, 0.0f) + blocks::log1p_of_unit(blocks::exp(-std::fabs(z)));
  return z * blocks::tanh(softplus);
}

/// Mean 0 and variance 1, but for the 1e-5 below the root, of what N samples of O channels have in one channel.
void normalize(float* z, int64_t N, int64_t O, int64_t size) {
  double sum = 0, squares = 0;
  for (int64_t n = 0; n < N; ++n)
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < size; ++i) sum += z[n * O * size + i];
  const double mean = sum / (N * size);
  for (int64_t n = 0; n < N; ++n)
#pragma omp simd reduction(+ : squares)
    for (int64_t i = 0; i < size; ++i) squares += (z[n * O * size + i] - mean) * (z[n * O * size + i] - mean);
  const double factor = 1 / std::sqrt(squares / (N * size) + 1e-5);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < size; ++i) z[n * O * size + i] = static_cast<float>((z[n * O * size + i] - mean) * factor);
}

}  // namespace

extern "C" void conv2d_activation_batch_norm(const float* x, const float* w, const float* b, const float* scale, const float* bias,
                                             float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (H - 2) * (W - 2);
  blocks::convolve({.N = N, .C = C, .O = O, .height = {H, 3, H - 2}, .width = {W, 3, W - 2}}, x, w, b, y);
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * O * size; ++i) y[i] = mish(y[i]);
#pragma omp parallel for schedule(static)
  for (int64_t o = 0; o < O; ++o) {
    const float factor = scale[o], shift = bias[o];
    normalize(y + o * size, N, O, size);
    for (int64_t n = 0; n < N; ++n)
      for (int64_t i = (n * O + o) * size; i < (n * O + o + 1) * size; ++i) y[i] = y[i] * factor + shift;
  }
}
