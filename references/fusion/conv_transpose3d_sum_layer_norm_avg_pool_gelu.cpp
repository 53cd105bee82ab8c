// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then the four of its rows that a row of the result is made of.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"
#include "blocks/normalize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void conv_transpose3d_sum_layer_norm_avg_pool_gelu(const float* x, const float* w, const float* scale, const float* bias,
                                                              float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  std::vector<float> z(N * O * 8 * D * H * W);
  const blocks::Axis depth{2 * D, 3, D, 2, 1}, height{2 * H, 3, H, 2, 1}, width{2 * W, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, nullptr, z.data());
#pragma omp parallel for
  for (int64_t row = 0; row < N * O * D * H; ++row) {
    float* mean = y + row * W;
    std::fill_n(mean, W, 0.0f);
    for (int64_t p = 0; p < 4; ++p) {
      float* from = &z[((row / H * 2 + p / 2) * 2 * H + row % H * 2 + p % 2) * 2 * W];
      blocks::normalize(from, 2 * W);
      for (int64_t i = 0; i < 2 * W; ++i) from[i] = from[i] * scale[i] + bias[i];
      for (int64_t i = 0; i < W; ++i) mean[i] += (from[2 * i] + from[2 * i + 1]) / 8;
    }
    for (int64_t i = 0; i < W; ++i) mean[i] = gelu(mean[i]);
  }
}
