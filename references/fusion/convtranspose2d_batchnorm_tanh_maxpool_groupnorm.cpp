// SPDX-License-Identifier: Apache-2.0
// The channels of the transposed convolution follow one by one, then the groups.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"
#include "blocks/normalize.h"

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

}  // namespace

extern "C" void convtranspose2d_batchnorm_tanh_maxpool_groupnorm(const float* x, const float* w, const float* scale, const float* bias,
                                                                 const float* scale2, const float* bias2, float* y, int64_t N, int64_t C,
                                                                 int64_t H, int64_t W, int64_t O) {
  const int64_t size = (H + 2) * (W + 2), pooled = ((H + 2) / 2) * ((W + 2) / 2), M = O / 8;
  std::vector<float> z(N * O * size);
  const blocks::Axis height{H + 2, 5, H, 1, 1}, width{W + 2, 5, W, 1, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .height = height, .width = width}, x, w, nullptr, z.data());
#pragma omp parallel for
  for (int64_t o = 0; o < O; ++o) {
    std::vector<float> channel(N * size);
    for (int64_t n = 0; n < N; ++n) std::copy_n(&z[(n * O + o) * size], size, &channel[n * size]);
    blocks::normalize(channel.data(), N * size);
    const float gain = scale[o], shift = bias[o];
    for (int64_t i = 0; i < N * size; ++i) channel[i] = blocks::tanh(channel[i] * gain + shift);
    for (int64_t n = 0; n < N; ++n) max_pool(&channel[n * size], H + 2, W + 2, y + (n * O + o) * pooled);
  }
#pragma omp parallel for
  for (int64_t group = 0; group < N * 8; ++group) {
    float* at = y + group * M * pooled;
    blocks::normalize(at, M * pooled);
    for (int64_t m = 0; m < M; ++m) {
      const float gain = scale2[group % 8 * M + m], shift = bias2[group % 8 * M + m];
      for (int64_t i = m * pooled; i < (m + 1) * pooled; ++i) at[i] = at[i] * gain + shift;
    }
  }
}
