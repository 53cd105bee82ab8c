// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its images one by one.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The largest of each whole window of 2 by 2, side by side, of an image: [H / 2, W / 2].
void max_pool(const float* z, int64_t H, int64_t W, float* most) {
  for (int64_t h = 0; h < H / 2; ++h, most += W / 2) {
    std::fill_n(most, W / 2, -INFINITY);
    for (int64_t p = 0; p < 2; ++p) {
      const float* from = z + (2 * h + p) * W;
      for (int64_t i = 0; i < W / 2; ++i) most[i] = std::max(std::max(most[i], from[2 * i]), from[2 * i + 1]);
    }
  }
}

float hard_swish(float z) { return z * std::clamp(z / 6 + 0.5f, 0.0f, 1.0f); }

float mish(float z) { return z * blocks::tanh(std::max(z, 0.0f) + blocks::log1p_of_unit(blocks::exp(-std::fabs(z)))); }

}  // namespace

extern "C" void conv2d_subtract_hard_swish_max_pool_mish(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C,
                                                         int64_t H, int64_t W, int64_t O) {
  const int64_t size = (H - 2) * (W - 2), pooled = ((H - 2) / 2) * ((W - 2) / 2);
  std::vector<float> z(N * O * size);
  blocks::convolve({.N = N, .C = C, .O = O, .height = {H, 3, H - 2}, .width = {W, 3, W - 2}}, x, w, b, z.data());
#pragma omp parallel for
  for (int64_t i = 0; i < N * O; ++i) {
    for (int64_t j = i * size; j < (i + 1) * size; ++j) z[j] = hard_swish(z[j] - 0.5f);
    max_pool(&z[i * size], H - 2, W - 2, y + i * pooled);
    for (int64_t j = i * pooled; j < (i + 1) * pooled; ++j) y[j] = mish(y[j]);
  }
}
