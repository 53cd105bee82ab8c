// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/strips.h"

#include "kernel.h"

namespace {

blocks::Maps average(const blocks::Maps& x) {
  blocks::Maps y{x.c, x.n, x.h / 2, x.w / 2};
  for (int64_t plane = 0; plane < x.c * x.n; ++plane)
    for (int64_t h = 0; h < y.h; ++h)
      for (int64_t v = 0; v < y.w; ++v) {
        const float* in = &x.data[(plane * x.h + 2 * h) * x.w + 2 * v];
        y.data[(plane * y.h + h) * y.w + v] = 0.25f * (in[0] + in[1] + in[x.w] + in[x.w + 1]);
      }
  return y;
}

}  // namespace

extern "C" void densenet201(const float* x, const float* stem, const float* layers, const float* transitions, const float* scale,
                            const float* shift, const float* head, const float* b, float* y, int64_t N, int64_t H, int64_t W, int64_t C,
                            int64_t K) {
  auto normalized = [&](blocks::Maps h) {
    blocks::normalize(h, scale, shift, 0, blocks::kInfinity);
    scale += h.c, shift += h.c;
    return h;
  };
  auto layer = [&](const blocks::Maps& in, const float*& weights, int64_t channels, const blocks::Window& k) {
    blocks::Maps out = blocks::convolved_in_strips(in, weights, nullptr, channels, k);
    weights += channels * in.c * k.taps();
    return out;
  };
  blocks::Maps h = blocks::pooled(normalized(layer(blocks::read_images(x, N, 3, H, W), stem, 2 * C, {7, 2, 3})), {3, 2, 1});
  for (int64_t count : {6, 12, 48, 32}) {
    for (int64_t i = 0; i < count; ++i) {
      blocks::Maps grown = layer(normalized(h), layers, C, {3, 1, 1});
      h.data.insert(h.data.end(), grown.data.begin(), grown.data.end());
      h.c += C;
    }
    if (count != 32) h = average(layer(normalized(h), transitions, h.c / 2, {}));
  }
  blocks::classify(normalized(h), head, b, y, K);
}
