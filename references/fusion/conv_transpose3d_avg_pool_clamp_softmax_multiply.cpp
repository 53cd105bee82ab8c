// SPDX-License-Identifier: Apache-2.0
// The means first, then their transposed convolution as a product of matrices, then its volumes one by one.
#include "blocks/vector_math.h"

#include "blocks/convolution.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

/// The mean of each window of 2 by 2 by 2, side by side, of `planes` volumes: [planes, D, H, W].
std::vector<float> mean_pool(const float* z, int64_t planes, int64_t D, int64_t H, int64_t W) {
  std::vector<float> mean(planes * D * H * W);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < planes * D * H; ++i)
    for (int64_t p = 0; p < 4; ++p) {
      const float* from = z + ((i / H * 2 + p / 2) * 2 * H + i % H * 2 + p % 2) * 2 * W;
      for (int64_t j = 0; j < W; ++j) mean[i * W + j] += (from[2 * j] + from[2 * j + 1]) / 8;
    }
  return mean;
}

/// Softmax of numbers from 0 to 1, so their exponentials are small enough, times `factor`.
void softmax(float* z, int64_t size, float factor) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < size; ++i) sum += z[i] = blocks::exp(z[i]);
  for (int64_t i = 0; i < size; ++i) z[i] = z[i] / sum * factor;
}

}  // namespace

extern "C" void conv_transpose3d_avg_pool_clamp_softmax_multiply(const float* x, const float* w, const float* b, const float* v, float* y,
                                                                 int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t size = 8 * D * H * W;
  const std::vector<float> means = mean_pool(x, N * C, D, H, W);
  const blocks::Axis depth{2 * D, 3, D, 2, 1}, height{2 * H, 3, H, 2, 1}, width{2 * W, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, means.data(), w, b, y);
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < N * O; ++plane) {
    float* z = y + plane * size;
    for (int64_t i = 0; i < size; ++i) z[i] = std::clamp(z[i], 0.0f, 1.0f);
    softmax(z, size, v[plane % O]);
  }
}
