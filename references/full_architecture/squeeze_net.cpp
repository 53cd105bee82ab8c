// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/strips.h"

#include "kernel.h"

namespace {

// The largest of 3x3 in steps of 2; the last window may be cut off.
blocks::Maps pool(const blocks::Maps& x) {
  blocks::Maps y{x.c, x.n, (x.h - 2) / 2 + 1, (x.w - 2) / 2 + 1};
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < x.c * x.n; ++plane) {
    const float* in = &x.data[plane * x.h * x.w];
    for (int64_t oh = 0; oh < y.h; ++oh)
      for (int64_t ow = 0; ow < y.w; ++ow) {
        int64_t top = 2 * oh, left = 2 * ow;
        float best = -std::numeric_limits<float>::infinity();
        for (int64_t h = top; h < std::min(x.h, top + 3); ++h)
          for (int64_t v = left; v < std::min(x.w, left + 3); ++v)
            if (float value = in[h * x.w + v]; value > best || value != value) best = value;
        y.data[(plane * y.h + oh) * y.w + ow] = best;
      }
  }
  return y;
}

constexpr int64_t fires[] = {1, 1, 2, 0, 2, 3, 3, 4, 0, 4};  // squeezed channels in units of C; 0: a pool

}  // namespace

extern "C" void squeeze_net(const float* x, const float* weights, const float* bias, float* y, int64_t N, int64_t H, int64_t W, int64_t C,
                            int64_t K) {
  // The kernel and biases of a layer follow those of the layer before it.
  auto layer = [&](const blocks::Maps& in, int64_t channels, const blocks::Window& k) {
    blocks::Maps out = blocks::convolved_in_strips(in, weights, bias, channels, k, 0);
    weights += channels * in.c * k.taps(), bias += channels;
    return out;
  };
  blocks::Maps h = pool(layer(blocks::read_images(x, N, 3, H, W), 6 * C, {7, 2}));
  for (const int64_t squeezed : fires) {
    if (squeezed == 0) {
      h = pool(h);
      continue;
    }
    const blocks::Maps s = layer(h, squeezed * C, {});
    h = layer(s, 4 * squeezed * C, {});
    blocks::append(h, layer(s, 4 * squeezed * C, {3, 1, 1}));
  }
  h = layer(h, K, {});
  for (int64_t i = 0; i < N; ++i)
    for (int64_t k = 0; k < K; ++k) {
      double sum = 0;
      for (int64_t p = 0; p < h.h * h.w; ++p) sum += h.channel(k)[i * h.h * h.w + p];
      y[i * K + k] = static_cast<float>(sum / static_cast<double>(h.h * h.w));
    }
}
