// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/depthwise.h"

#include "kernel.h"

namespace {

struct block {
  int64_t hidden, channels, stride;  // channels in units of C
};
constexpr block stages[] = {{4, 2, 1}, {12, 3, 2}, {18, 5, 2}, {30, 10, 2}, {60, 14, 1}, {84, 24, 2}, {144, 40, 1}};

}  // namespace

extern "C" void efficientnet_b1(const float* x, const float* weights, const float* scale, const float* shift, const float* head,
                                const float* b, float* y, int64_t N, int64_t H, int64_t W, int64_t C, int64_t K) {
  // The kernel, scales and shifts of a layer follow those of the layer before it.
  auto layer = [&](const blocks::Maps& in, int64_t channels, const blocks::Window& k, float low, float high = blocks::kInfinity) {
    blocks::Maps out = blocks::convolved(in, weights, channels, k);
    blocks::normalize(out, scale, shift, low, high);
    weights += channels * (in.c / k.groups) * k.taps(), scale += channels, shift += channels;
    return out;
  };
  blocks::Maps h = layer(blocks::read_images(x, N, 3, H, W), 4 * C, {3, 2, 1}, 0);
  for (const block& next : stages) {
    int64_t hidden = next.hidden * C;
    h = layer(h, hidden, {}, 0, 6);
    h = layer(h, hidden, {3, next.stride, 1, hidden}, 0, 6);
    h = layer(h, next.channels * C, {}, -blocks::kInfinity);
  }
  blocks::classify(layer(h, 160 * C, {}, 0), head, b, y, K);
}
