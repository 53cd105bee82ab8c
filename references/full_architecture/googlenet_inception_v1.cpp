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

// The mean of each channel, then a linear layer.
void classify(const maps& x, const float* w, const float* b, float* y, int64_t K) {
  int64_t area = x.h * x.w;
  for (int64_t i = 0; i < x.n; ++i) {
    std::vector<float> means(x.c);
    for (int64_t c = 0; c < x.c; ++c) {
      double sum = 0;
      for (int64_t p = 0; p < area; ++p) sum += x.channel(c)[i * area + p];
      means[c] = static_cast<float>(sum / static_cast<double>(area));
    }
    for (int64_t k = 0; k < K; ++k) {
      float sum = b[k];
      for (int64_t c = 0; c < x.c; ++c) sum += w[k * x.c + c] * means[c];
      y[i * K + k] = sum;
    }
  }
}

constexpr float infinity = std::numeric_limits<float>::infinity();

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
  auto layer = [&](const maps& in, int64_t channels, const window& k, float low) {
    maps out = convolve(in, weights, bias, channels, k, low);
    weights += channels * in.c * k.taps(), bias += channels;
    return out;
  };
  maps h = pool(layer(read_images(x, N, 3, H, W), 8 * C, {7, 2, 3}, 0), {3, 2, 1});
  h = layer(h, 8 * C, {}, 0);
  h = pool(layer(h, 24 * C, {3, 1, 1}, 0), {3, 2, 1});
  for (int64_t i = 0; i < 9; ++i) {
    const module& next = modules[i];
    if (i == 2 || i == 7) h = pool(h, {3, 2, 1});
    maps out = layer(h, next.one * C, {}, -infinity);
    append(out, layer(layer(h, next.reduce3 * C, {}, -infinity), next.three * C, {3, 1, 1}, -infinity));
    append(out, layer(layer(h, next.reduce5 * C, {}, -infinity), next.five * C, {5, 1, 2}, -infinity));
    append(out, layer(pool(h, {3, 1, 1}), next.pooled * C, {}, -infinity));
    h = std::move(out);
  }
  classify(h, head, b, y, K);
}
