// SPDX-License-Identifier: Apache-2.0
// Layers of networks whose convolutions are of each channel by itself or of one tap (Howard et al., "MobileNets: Efficient Convolutional
// Neural Networks for Mobile Vision Applications", 2017), over maps (maps.h).
#pragma once

#include "blocks/convolution.h"
#include "blocks/maps.h"

namespace blocks {

/// Each channel by itself, w [c, size, size], y [c, n, extent(h), extent(w)], with a stride of 1 or 2. With its padding it is split by the
/// remainders of row and column on division by the stride, so that a tap reads neighbours for neighbouring outputs; outputs that lie past
/// the end of a row are computed too, and dropped.
inline void convolve_channels(const Maps& x, const float* w, const Window& k, Maps& y) {
  const int64_t s = k.stride, reach = (k.size - 1) / s, pitch = y.w + reach, area = (y.h + reach) * pitch;
  std::vector<int64_t> place(k.taps());
  for (int64_t t = 0; t < k.taps(); ++t) {
    const int64_t h = t / k.size, v = t % k.size;
    place[t] = (h % s * s + v % s) * area + h / s * pitch + v / s;
  }
#pragma omp parallel
  {
    std::vector<float> parts(s * s * area + k.size + kColumns), sums(y.h * pitch + kColumns);
#pragma omp for schedule(static)
    for (int64_t plane = 0; plane < x.c * x.n; ++plane) {
      for (int64_t h = 0; h < x.h; ++h)
        for (int64_t v = 0; v < s; ++v) {
          const float* from = &x.data[(plane * x.h + h) * x.w];
          float* to = &parts[((h + k.pad) % s * s + v) * area + (h + k.pad) / s * pitch];
          if (s == 1) std::copy_n(from, x.w, to + k.pad);
          else
            for (int64_t i = (k.pad + 1 - v) / 2; i < (x.w + k.pad + 1 - v) / 2; ++i) to[i] = from[2 * i + v - k.pad];
        }
      const float* kernel = w + plane / x.n * k.taps();
      for (int64_t first = 0; first < y.h * pitch; first += kColumns) {
        Vector sum = {}, more = {};
        for (int64_t t = 0; t < k.taps(); ++t) {
          Vector left, right;
          std::memcpy(&left, &parts[place[t] + first], sizeof left);
          std::memcpy(&right, &parts[place[t] + first + kLanes], sizeof right);
          sum += kernel[t] * left;
          more += kernel[t] * right;
        }
        std::memcpy(&sums[first], &sum, sizeof sum);
        std::memcpy(&sums[first + kLanes], &more, sizeof more);
      }
      for (int64_t h = 0; h < y.h; ++h) std::copy_n(&sums[h * pitch], y.w, &y.data[(plane * y.h + h) * y.w]);
    }
  }
}

/// One tap: y [O, n, h, w] = w [O, c / groups] x [c, n, h, w] in each group. Some pixels at a time or, where there are few of them, some
/// channels.
inline void mix_channels(const Maps& x, const float* w, int64_t groups, Maps& y) {
  const int64_t pixels = x.pixels(), inputs = x.c / groups, outputs = y.c / groups;
#pragma omp parallel for collapse(2) schedule(static) if (pixels > 2 * kColumnBlock)
  for (int64_t g = 0; g < groups; ++g)
    for (int64_t p = 0; p < pixels; p += kColumnBlock)
      product(outputs, std::min(kColumnBlock, pixels - p), inputs, row_major(w + g * outputs * inputs, inputs),
              {x.channel(g * inputs) + p, pixels, 1}, y.channel(g * outputs) + p, pixels);
}

/// w [channels, c / groups, size, size]: [channels, n, extent(h), extent(w)]. Of one tap the stride is 1 and nothing is padded; else there
/// is one group or one for each channel.
inline Maps convolved(const Maps& x, const float* w, int64_t channels, const Window& k) {
  Maps y{channels, x.n, k.extent(x.h), k.extent(x.w)};
  if (k.size == 1) mix_channels(x, w, k.groups, y);
  else if (k.groups == x.c) convolve_channels(x, w, k, y);
  else
    convolve({1, x.c, channels, 1, {x.n, 1, x.n}, {x.h, k.size, y.h, k.stride, k.pad}, {x.w, k.size, y.w, k.stride, k.pad}}, x.data.data(),
             w, nullptr, y.data.data());  // images one behind the other
  return y;
}

}  // namespace blocks
