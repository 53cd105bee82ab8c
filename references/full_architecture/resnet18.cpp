// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/strips.h"

#include "kernel.h"

namespace {

void add_and_bend(blocks::Maps& x, const blocks::Maps& other) {
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    float sum = x.data[i] + other.data[i];
    x.data[i] = sum < 0 ? 0 : sum;
  }
}

struct block {
  int64_t channels, stride;  // channels in units of C
};
constexpr block stages[] = {{1, 1}, {1, 1}, {2, 2}, {2, 1}, {4, 2}, {4, 1}, {8, 2}, {8, 1}};

}  // namespace

extern "C" void resnet18(const float* x, const float* weights, const float* scale, const float* shift, const float* head, const float* b,
                         float* y, int64_t N, int64_t H, int64_t W, int64_t C, int64_t K) {
  // The kernel, scales and shifts of a layer follow those of the layer before it.
  auto layer = [&](const blocks::Maps& in, int64_t channels, const blocks::Window& k, float low) {
    blocks::Maps out = blocks::convolved_in_strips(in, weights, nullptr, channels, k);
    blocks::normalize(out, scale, shift, low, blocks::kInfinity);
    weights += channels * (in.c / k.groups) * k.taps(), scale += channels, shift += channels;
    return out;
  };
  blocks::Maps h = blocks::pooled(layer(blocks::read_images(x, N, 3, H, W), C, {7, 2, 3}, 0), {3, 2, 1});
  for (const block& next : stages) {
    int64_t channels = next.channels * C;
    blocks::Maps in = std::move(h);
    h = layer(in, channels, {3, next.stride, 1}, 0);
    h = layer(h, channels, {3, 1, 1}, -blocks::kInfinity);
    add_and_bend(h, in.c == channels ? in : layer(in, channels, {1, next.stride}, -blocks::kInfinity));
  }
  blocks::classify(h, head, b, y, K);
}
