// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/strips.h"

#include "kernel.h"

namespace {

struct stage {
  int64_t width, blocks;  // width in units of C
};
constexpr stage stages[] = {{1, 3}, {2, 4}, {4, 23}, {8, 3}};

void add_and_bend(blocks::Maps& x, const blocks::Maps& other) {
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    float sum = x.data[i] + other.data[i];
    x.data[i] = sum < 0 ? 0 : sum;
  }
}

}  // namespace

extern "C" void resnet101(const float* x, const float* stem, const float* reduce, const float* convolution, const float* expand,
                          const float* shortcut, const float* scale, const float* shift, const float* w, const float* b, float* y,
                          int64_t N, int64_t H, int64_t W, int64_t C, int64_t K) {
  // The weights, scales and shifts of a layer follow those of the layer before it.
  auto layer = [&](const blocks::Maps& in, const float*& weights, int64_t channels, const blocks::Window& k, float low) {
    blocks::Maps out = blocks::convolved_in_strips(in, weights, nullptr, channels, k);
    blocks::normalize(out, scale, shift, low, blocks::kInfinity);
    weights += channels * in.c * k.taps(), scale += channels, shift += channels;
    return out;
  };
  blocks::Maps h = blocks::pooled(layer(blocks::read_images(x, N, 3, H, W), stem, C, {7, 2, 3}, 0), {3, 2, 1});
  for (const stage& next : stages) {
    int64_t width = next.width * C, stride = &next == stages ? 1 : 2;
    for (int64_t i = 0; i < next.blocks; ++i) {
      blocks::Maps in = std::move(h);
      h = layer(in, reduce, width, {}, 0);
      h = layer(h, convolution, width, {3, i == 0 ? stride : 1, 1}, 0);
      h = layer(h, expand, 4 * width, {}, -blocks::kInfinity);
      add_and_bend(h, i == 0 ? layer(in, shortcut, 4 * width, {1, stride}, -blocks::kInfinity) : in);
    }
  }
  blocks::classify(h, w, b, y, K);
}
