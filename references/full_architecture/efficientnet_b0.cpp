// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/depthwise.h"

#include "kernel.h"

namespace {

void add(blocks::Maps& x, const blocks::Maps& other) {
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] += other.data[i];
}

struct block {
  int64_t inputs, hidden, channels, size, stride;  // channels in units of C
};
constexpr block stages[] = {{4, 4, 2, 3, 1},     {2, 12, 3, 3, 2},    {3, 18, 3, 3, 1},   {3, 18, 5, 5, 2},   {5, 30, 5, 5, 1},
                            {5, 30, 10, 3, 2},   {10, 60, 10, 3, 1},  {10, 60, 14, 5, 1}, {14, 84, 14, 5, 1}, {14, 84, 24, 5, 2},
                            {24, 144, 24, 5, 1}, {24, 144, 24, 5, 1}, {24, 144, 40, 3, 1}};

}  // namespace

extern "C" void efficientnet_b0(const float* x, const float* weights, const float* scale, const float* shift, const float* head,
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
    blocks::Maps in = std::move(h);
    h = next.inputs == next.hidden ? in : layer(in, hidden, {}, 0, 6);
    h = layer(h, hidden, {next.size, next.stride, next.size / 2, hidden}, 0, 6);
    h = layer(h, next.channels * C, {}, -blocks::kInfinity);
    if (next.inputs == next.channels && next.stride == 1) add(h, in);
  }
  blocks::classify(layer(h, 160 * C, {}, 0), head, b, y, K);
}
