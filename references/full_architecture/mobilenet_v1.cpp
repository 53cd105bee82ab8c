// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/layers.h"
#include "blocks/depthwise.h"

#include "kernel.h"

namespace {

struct block {
  int64_t channels, stride;  // channels in units of C
};
constexpr block stages[] = {{2, 1}, {4, 2}, {4, 1}, {8, 2}, {8, 1}, {16, 2}, {16, 1}, {16, 1}, {16, 1}, {16, 1}, {16, 1}, {32, 2}, {32, 1}};

// The mean of each 7x7, image after image.
std::vector<float> means(const blocks::Maps& x) {
  int64_t rows_out = x.h / 7, columns = x.w / 7;
  std::vector<float> y;
  for (int64_t i = 0; i < x.n; ++i)
    for (int64_t c = 0; c < x.c; ++c)
      for (int64_t oh = 0; oh < rows_out; ++oh)
        for (int64_t ow = 0; ow < columns; ++ow) {
          double sum = 0;
          for (int64_t t = 0; t < 49; ++t) sum += x.channel(c)[(i * x.h + oh * 7 + t / 7) * x.w + ow * 7 + t % 7];
          y.push_back(static_cast<float>(sum / 49));
        }
  return y;
}

}  // namespace

extern "C" void mobilenet_v1(const float* x, const float* weights, const float* scale, const float* shift, const float* head,
                             const float* b, float* y, int64_t N, int64_t P, int64_t C, int64_t K) {
  // The kernel, scales and shifts of a layer follow those of the layer before it.
  auto layer = [&](const blocks::Maps& in, int64_t channels, const blocks::Window& k) {
    blocks::Maps out = blocks::convolved(in, weights, channels, k);
    blocks::normalize(out, scale, shift, 0, blocks::kInfinity);
    weights += channels * (in.c / k.groups) * k.taps(), scale += channels, shift += channels;
    return out;
  };
  blocks::Maps h = layer(blocks::read_images(x, N, 3, 224 * P, 224), C, {3, 2, 1});
  for (const block& next : stages) {
    h = layer(h, h.c, {3, next.stride, 1, h.c});
    h = layer(h, next.channels * C, {});
  }
  blocks::linear(means(h).data(), head, b, y, N, 32 * C * P, K);
}
