// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/strips.h"

#include "kernel.h"

namespace {

void add(blocks::Maps& x, const blocks::Maps& other) {
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] += other.data[i];
}

struct stage {
  int64_t width, units;  // width in units of C
};
constexpr stage stages[] = {{3, 3}, {6, 7}, {12, 3}};

// The channels of three groups dealt out in turn.
blocks::Maps shuffle(const blocks::Maps& x) {
  blocks::Maps y{x.c, x.n, x.h, x.w};
  for (int64_t c = 0; c < x.c; ++c) std::copy_n(x.channel(c % 3 * (x.c / 3) + c / 3), x.pixels(), y.channel(c));
  return y;
}

}  // namespace

extern "C" void shufflenet(const float* x, const float* weights, const float* scale, const float* shift, const float* head, const float* b,
                           float* y, int64_t N, int64_t H, int64_t W, int64_t C, int64_t S, int64_t T, int64_t K) {
  // The kernel, scales and shifts of a layer follow those of the layer before it.
  auto layer = [&](const blocks::Maps& in, int64_t channels, const blocks::Window& k, float low, float high = blocks::kInfinity) {
    blocks::Maps out = blocks::convolved_in_strips(in, weights, nullptr, channels, k);
    blocks::normalize(out, scale, shift, low, high);
    weights += channels * (in.c / k.groups) * k.taps(), scale += channels, shift += channels;
    return out;
  };
  blocks::Maps h = blocks::pooled(layer(blocks::read_images(x, N, 3, H, W), 3 * S, {3, 2, 1}, 0), {3, 2, 1});
  for (const stage& next : stages)
    for (int64_t i = 0; i < next.units; ++i) {
      int64_t width = next.width * C;
      blocks::Maps in = std::move(h);
      h = layer(in, width, {1, 1, 0, 3}, 0);
      h = layer(h, width, {3, 1, 1, width}, -blocks::kInfinity);
      h = layer(shuffle(h), 4 * width, {1, 1, 0, 3}, 0);
      add(h, i == 0 ? layer(in, 4 * width, {}, -blocks::kInfinity) : in);
    }
  blocks::classify(layer(h, T, {}, 0), head, b, y, K);
}
