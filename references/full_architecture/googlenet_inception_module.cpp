// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole. A convolution copies what the taps of a tile of pixels read into vectors, whose lanes are pixels, and
// multiplies them by several output channels at a time.
#include <algorithm>
#include <limits>
#include <vector>

#include "kernel.h"

namespace {

#ifdef __AVX512F__
constexpr int64_t lanes = 16, rows = 8;
#else
constexpr int64_t lanes = 8, rows = 6;
#endif
constexpr int64_t width = 2 * lanes;  // output pixels in a tile, `rows` channels of it in registers
typedef float vec __attribute__((vector_size(lanes * sizeof(float))));
struct strip {
  vec v[2];
};

struct maps {
  int64_t c, n, h, w;  // channels, images, rows, columns: a channel's maps of all images lie side by side
  std::vector<float> data = std::vector<float>(c * n * h * w);
  int64_t pixels() const { return n * h * w; }
  float* channel(int64_t i) { return &data[i * pixels()]; }
  const float* channel(int64_t i) const { return &data[i * pixels()]; }
};

struct window {
  int64_t size = 1, stride = 1, pad = 0;
  int64_t taps() const { return size * size; }
  int64_t extent(int64_t in) const { return (in + 2 * pad - size) / stride + 1; }
};

// Where each tap of `width` output pixels from `first` reads in a channel of x, or -1 where it reads padding.
std::vector<int64_t> places(const maps& x, const maps& y, const window& k, int64_t first) {
  std::vector<int64_t> at(k.taps() * width, -1);
  for (int64_t p = first; p < std::min(first + width, y.pixels()); ++p) {
    int64_t i = p / (y.h * y.w), oh = p / y.w % y.h, ow = p % y.w;
    for (int64_t t = 0; t < k.taps(); ++t) {
      int64_t ih = oh * k.stride + t / k.size - k.pad, iw = ow * k.stride + t % k.size - k.pad;
      if (ih >= 0 && ih < x.h && iw >= 0 && iw < x.w) at[t * width + p - first] = (i * x.h + ih) * x.w + iw;
    }
  }
  return at;
}

template <int64_t R>
void multiply(const strip* in, const float* w, const float* b, float low, int64_t K, float* y, int64_t pixels, int64_t count) {
  vec sum[R][2] = {};
  for (int64_t k = 0; k < K; ++k)
    for (int64_t r = 0; r < R; ++r)
      for (int64_t q = 0; q < 2; ++q) sum[r][q] += w[r * K + k] * in[k].v[q];
  for (int64_t r = 0; r < R; ++r)
    for (int64_t p = 0; p < count; ++p) {
      float z = sum[r][p / lanes][p % lanes] + b[r];
      y[r * pixels + p] = z < low ? low : z;
    }
}

// With a bias, and nothing below `low`.
maps convolve(const maps& x, const float* w, const float* b, int64_t channels, const window& k, float low) {
  maps y{channels, x.n, k.extent(x.h), k.extent(x.w)};
  int64_t K = x.c * k.taps();
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < y.pixels(); first += width) {
    int64_t count = std::min(width, y.pixels() - first);
    std::vector<int64_t> at = places(x, y, k, first);
    std::vector<strip> in(K);
    for (int64_t c = 0; c < x.c; ++c)
      for (int64_t t = 0; t < k.taps(); ++t)
        for (int64_t p = 0; p < width; ++p)
          in[c * k.taps() + t].v[p / lanes][p % lanes] = at[t * width + p] < 0 ? 0.0f : x.channel(c)[at[t * width + p]];
    int64_t o = 0;
    const auto tile = [&]<int64_t R>() {
      for (; o + R <= channels; o += R) multiply<R>(in.data(), w + o * K, b + o, low, K, y.channel(o) + first, y.pixels(), count);
    };
    tile.template operator()<rows>();
    tile.template operator()<1>();
  }
  return y;
}

// The images side by side in each channel.
maps read_images(const float* x, int64_t N, int64_t channels, int64_t H, int64_t W) {
  maps images{channels, N, H, W};
  for (int64_t i = 0; i < N; ++i)
    for (int64_t c = 0; c < channels; ++c) std::copy_n(x + (i * channels + c) * H * W, H * W, images.channel(c) + i * H * W);
  return images;
}

// The largest of each window; a border counts for nothing.
maps pool(const maps& x, const window& k) {
  maps y{x.c, x.n, k.extent(x.h), k.extent(x.w)};
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < x.c * x.n; ++plane) {
    const float* in = &x.data[plane * x.h * x.w];
    for (int64_t oh = 0; oh < y.h; ++oh)
      for (int64_t ow = 0; ow < y.w; ++ow) {
        int64_t top = oh * k.stride - k.pad, left = ow * k.stride - k.pad;
        float best = -std::numeric_limits<float>::infinity();
        for (int64_t h = std::max<int64_t>(0, top); h < std::min(x.h, top + k.size); ++h)
          for (int64_t v = std::max<int64_t>(0, left); v < std::min(x.w, left + k.size); ++v)
            if (float value = in[h * x.w + v]; value > best || value != value) best = value;
        y.data[(plane * y.h + oh) * y.w + ow] = best;
      }
  }
  return y;
}

// The channels of `other` behind those of x.
void append(maps& x, const maps& other) {
  x.c += other.c;
  x.data.insert(x.data.end(), other.data.begin(), other.data.end());
}

// Images again, each with its channels one behind the other.
void write_images(const maps& x, float* y) {
  int64_t area = x.h * x.w;
  for (int64_t i = 0; i < x.n; ++i)
    for (int64_t c = 0; c < x.c; ++c) std::copy_n(x.channel(c) + i * area, area, y + (i * x.c + c) * area);
}

constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

extern "C" void googlenet_inception_module(const float* x, const float* one, const float* b_one, const float* reduce3,
                                           const float* b_reduce3, const float* three, const float* b_three, const float* reduce5,
                                           const float* b_reduce5, const float* five, const float* b_five, const float* pooled,
                                           const float* b_pooled, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t A,
                                           int64_t R, int64_t B, int64_t S, int64_t D, int64_t E) {
  const maps in = read_images(x, N, C, H, W);
  const auto layer = [](const maps& from, const float* w, const float* b, int64_t channels, int64_t size) {
    return convolve(from, w, b, channels, {size, 1, size / 2}, -infinity);
  };
  maps out = layer(in, one, b_one, A, 1);
  append(out, layer(layer(in, reduce3, b_reduce3, R, 1), three, b_three, B, 3));
  append(out, layer(layer(in, reduce5, b_reduce5, S, 1), five, b_five, D, 5));
  append(out, layer(pool(in, {3, 1, 1}), pooled, b_pooled, E, 1));
  write_images(out, y);
}
