// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/strips.h"

#include "kernel.h"

namespace {

struct module {
  int64_t one, reduce3, three, reduce5, five, pooled;  // channels in units of C
};
constexpr module modules[] = {{8, 12, 16, 2, 4, 4},    {16, 16, 24, 4, 12, 8},  {24, 12, 26, 2, 6, 8},
                              {20, 14, 28, 3, 8, 8},   {16, 16, 32, 3, 8, 8},   {14, 18, 36, 4, 8, 8},
                              {32, 20, 40, 4, 16, 16}, {32, 20, 40, 4, 16, 16}, {48, 24, 48, 6, 16, 16}};

}  // namespace

extern "C" void googlenet_inception_v1(const float* x, const float* weights, const float* bias, const float* head, const float* b, float* y,
                                       int64_t N, int64_t H, int64_t W, int64_t C, int64_t K) {
  // The kernel and biases of a layer follow those of the layer before it.
  auto layer = [&](const blocks::Maps& in, int64_t channels, const blocks::Window& k, float low) {
    blocks::Maps out = blocks::convolved_in_strips(in, weights, bias, channels, k, low);
    weights += channels * in.c * k.taps(), bias += channels;
    return out;
  };
  blocks::Maps h = blocks::pooled(layer(blocks::read_images(x, N, 3, H, W), 8 * C, {7, 2, 3}, 0), {3, 2, 1});
  h = layer(h, 8 * C, {}, 0);
  h = blocks::pooled(layer(h, 24 * C, {3, 1, 1}, 0), {3, 2, 1});
  for (int64_t i = 0; i < 9; ++i) {
    const module& next = modules[i];
    if (i == 2 || i == 7) h = blocks::pooled(h, {3, 2, 1});
    blocks::Maps out = layer(h, next.one * C, {}, -blocks::kInfinity);
    blocks::append(out, layer(layer(h, next.reduce3 * C, {}, -blocks::kInfinity), next.three * C, {3, 1, 1}, -blocks::kInfinity));
    blocks::append(out, layer(layer(h, next.reduce5 * C, {}, -blocks::kInfinity), next.five * C, {5, 1, 2}, -blocks::kInfinity));
    blocks::append(out, layer(blocks::pooled(h, {3, 1, 1}), next.pooled * C, {}, -blocks::kInfinity));
    h = std::move(out);
  }
  blocks::classify(h, head, b, y, K);
}
