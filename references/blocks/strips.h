// SPDX-License-Identifier: Apache-2.0
// Layers over maps (maps.h). A convolution copies what the taps of a tile of pixels read into vectors, whose lanes are pixels, and
// multiplies them by several output channels at a time. Its sums are in order.
#pragma once

#include "blocks/product.h"
#include "blocks/maps.h"

namespace blocks {

constexpr int64_t kChannels = kLanes == 16 ? 8 : 6;  // of a tile in registers

/// Where each tap of kColumns output pixels from `first` reads in a channel of x, [taps, kColumns], or -1 where it reads padding.
inline std::vector<int64_t> places(const Maps& x, const Maps& y, const Window& k, int64_t first) {
  std::vector<int64_t> at(k.taps() * kColumns, -1);
  for (int64_t p = first; p < std::min(first + kColumns, y.pixels()); ++p) {
    const int64_t i = p / (y.h * y.w), oh = p / y.w % y.h, ow = p % y.w;
    for (int64_t t = 0; t < k.taps(); ++t) {
      const int64_t ih = oh * k.stride + t / k.size - k.pad, iw = ow * k.stride + t % k.size - k.pad;
      if (ih >= 0 && ih < x.h && iw >= 0 && iw < x.w) at[t * kColumns + p - first] = (i * x.h + ih) * x.w + iw;
    }
  }
  return at;
}

/// y[R, count], whose rows are `pixels` apart, = w[R, K] in[K, kColumns], and b[R] and nothing below `low` where there is a b.
template <int64_t R>
void multiply_strip(const PanelRow* in, const float* w, const float* b, float low, int64_t K, float* y, int64_t pixels, int64_t count) {
  Vector sum[R][2] = {};
  for (int64_t k = 0; k < K; ++k)
    for (int64_t r = 0; r < R; ++r)
      for (int64_t q = 0; q < 2; ++q) sum[r][q] += w[r * K + k] * in[k].v[q];
  for (int64_t r = 0; r < R; ++r)
    for (int64_t p = 0; p < count; ++p) {
      const float z = sum[r][p / kLanes][p % kLanes], with = b == nullptr ? z : z + b[r];
      y[r * pixels + p] = with < low ? low : with;
    }
}

/// w [channels, c / groups, size, size], b [channels] or none, nothing below `low`: [channels, n, extent(h), extent(w)].
inline Maps convolved_in_strips(const Maps& x, const float* w, const float* b, int64_t channels, const Window& k, float low = -kInfinity) {
  Maps y{channels, x.n, k.extent(x.h), k.extent(x.w)};
  const int64_t inputs = x.c / k.groups, outputs = y.c / k.groups, K = inputs * k.taps();
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < y.pixels(); first += kColumns) {
    const int64_t count = std::min(int64_t{kColumns}, y.pixels() - first);
    const std::vector<int64_t> at = places(x, y, k, first);
    std::vector<PanelRow> in(K);
    for (int64_t g = 0; g < k.groups; ++g) {
      for (int64_t c = 0; c < inputs; ++c)
        for (int64_t t = 0; t < k.taps(); ++t)
          for (int64_t p = 0; p < kColumns; ++p)
            in[c * k.taps() + t].v[p / kLanes][p % kLanes] =
                at[t * kColumns + p] < 0 ? 0.0f : x.channel(g * inputs + c)[at[t * kColumns + p]];
      int64_t o = g * outputs;
      const auto tile = [&]<int64_t R>() {
        for (; o + R <= (g + 1) * outputs; o += R)
          multiply_strip<R>(in.data(), w + o * K, b == nullptr ? b : b + o, low, K, y.channel(o) + first, y.pixels(), count);
      };
      tile.template operator()<kChannels>();
      tile.template operator()<1>();
    }
  }
  return y;
}

}  // namespace blocks
