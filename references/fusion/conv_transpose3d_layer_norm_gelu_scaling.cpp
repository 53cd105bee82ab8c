// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its rows one by one, in place.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"

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

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void conv_transpose3d_layer_norm_gelu_scaling(const float* x, const float* w, const float* scale, const float* bias, float* y,
                                                         int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const blocks::Axis depth{2 * D, 4, D, 2, 1}, height{2 * H, 4, H, 2, 1}, width{2 * W, 4, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, nullptr, y);
#pragma omp parallel for
  for (int64_t row = 0; row < N * O * 4 * D * H; ++row) {
    float* at = y + row * 2 * W;
    normalize(at, 2 * W);
    for (int64_t i = 0; i < 2 * W; ++i) at[i] = gelu(at[i] * scale[i] + bias[i]);
  }
}
