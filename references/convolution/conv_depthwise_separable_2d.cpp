// SPDX-License-Identifier: Apache-2.0
// A row of the depthwise convolution is a sum over three input rows; the pointwise one is a product of its weights with all channels.
#include "blocks/product.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

constexpr int64_t C = 16, O = 32;

// One channel with its kernel of 3 by 3.
void depthwise(const float* x, const float* d, float* y, int64_t H, int64_t W) {
  std::fill_n(y, H * W, 0.0f);
  for (int64_t h = 0; h < H; ++h)
    for (int64_t i = std::max<int64_t>(h - 1, 0); i < std::min(h + 2, H); ++i) {
      const float *in = x + i * W, *k = d + (i - h + 1) * 3;
      float* __restrict out = y + h * W;
      for (int64_t w = 1; w < W - 1; ++w) out[w] += k[0] * in[w - 1] + k[1] * in[w] + k[2] * in[w + 1];
      out[0] += k[1] * in[0];
      if (W == 1) continue;
      out[0] += k[2] * in[1];
      out[W - 1] += k[0] * in[W - 2] + k[1] * in[W - 1];
    }
}

}  // namespace

void conv_depthwise_separable_2d(const float* x, const float* d, const float* p, float* y, int64_t N, int64_t H, int64_t W) {
  const int64_t size = H * W;
  std::vector<float> channels(C * size);
  for (int64_t n = 0; n < N; ++n) {
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < C; ++c) depthwise(x + (n * C + c) * size, d + c * 9, &channels[c * size], H, W);
    blocks::product(O, size, C, blocks::row_major(p, C), blocks::row_major(channels.data(), size), y + n * O * size, size);
  }
}
