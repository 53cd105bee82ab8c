// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its rows one by one, in place.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"
#include "blocks/normalize.h"

#include <cmath>

#include "kernel.h"

namespace {

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void conv_transpose3d_layer_norm_gelu_scaling(const float* x, const float* w, const float* scale, const float* bias, float* y,
                                                         int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const blocks::Axis depth{2 * D, 4, D, 2, 1}, height{2 * H, 4, H, 2, 1}, width{2 * W, 4, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, nullptr, y);
#pragma omp parallel for
  for (int64_t row = 0; row < N * O * 4 * D * H; ++row) {
    float* at = y + row * 2 * W;
    blocks::normalize(at, 2 * W);
    for (int64_t i = 0; i < 2 * W; ++i) at[i] = gelu(at[i] * scale[i] + bias[i]);
  }
}
