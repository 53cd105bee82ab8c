// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole. A convolution copies what the taps of a tile of pixels read into vectors, whose lanes are pixels, and
// multiplies them by several output channels at a time.
#include <algorithm>
#include <cmath>
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
  int64_t size = 1, stride = 1, pad = 0, groups = 1;
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
void multiply(const strip* in, const float* w, int64_t K, float* y, int64_t pixels, int64_t count) {
  vec sum[R][2] = {};
  for (int64_t k = 0; k < K; ++k)
    for (int64_t r = 0; r < R; ++r)
      for (int64_t q = 0; q < 2; ++q) sum[r][q] += w[r * K + k] * in[k].v[q];
  for (int64_t r = 0; r < R; ++r)
    for (int64_t p = 0; p < count; ++p) y[r * pixels + p] = sum[r][p / lanes][p % lanes];
}

maps convolve(const maps& x, const float* w, int64_t channels, const window& k) {
  maps y{channels, x.n, k.extent(x.h), k.extent(x.w)};
  int64_t inputs = x.c / k.groups, outputs = y.c / k.groups, K = inputs * k.taps();
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < y.pixels(); first += width) {
    int64_t count = std::min(width, y.pixels() - first);
    std::vector<int64_t> at = places(x, y, k, first);
    std::vector<strip> in(K);
    for (int64_t g = 0; g < k.groups; ++g) {
      for (int64_t c = 0; c < inputs; ++c)
        for (int64_t t = 0; t < k.taps(); ++t)
          for (int64_t p = 0; p < width; ++p)
            in[c * k.taps() + t].v[p / lanes][p % lanes] = at[t * width + p] < 0 ? 0.0f : x.channel(g * inputs + c)[at[t * width + p]];
      int64_t o = 0;
      const auto tile = [&]<int64_t R>() {
        for (; o + R <= outputs; o += R)
          multiply<R>(in.data(), w + (g * outputs + o) * K, K, y.channel(g * outputs + o) + first, y.pixels(), count);
      };
      tile.template operator()<rows>();
      tile.template operator()<1>();
    }
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

// Each channel by its mean and variance over all images, then softmax along rows.
void normalize(maps& x, const float* scale) {
  int64_t count = x.pixels();
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < x.c; ++c) {
    float* v = x.channel(c);
    double sum = 0, squares = 0;
    for (int64_t p = 0; p < count; ++p) sum += v[p];
    double mean = sum / static_cast<double>(count);
    for (int64_t p = 0; p < count; ++p) squares += (v[p] - mean) * (v[p] - mean);
    double factor = scale[c] / std::sqrt(squares / static_cast<double>(count) + 1e-5);
    for (int64_t p = 0; p < count; ++p) v[p] = static_cast<float>((v[p] - mean) * factor);
    for (float* row = v; row != v + count; row += x.w) {
      float largest = *std::max_element(row, row + x.w), total = 0;
      for (int64_t i = 0; i < x.w; ++i) total += row[i] = std::exp(row[i] - largest);
      for (int64_t i = 0; i < x.w; ++i) row[i] /= total;
    }
  }
}

maps pool(const maps& x) {
  maps y{x.c, x.n, x.h / 2, x.w / 2};
  for (int64_t row = 0; row < x.c * x.n * y.h; ++row)
    for (int64_t i = 0; i < y.w; ++i) {
      const float* from = &x.data[row * 2 * x.w + 2 * i];
      y.data[row * y.w + i] = std::max({from[0], from[1], from[x.w], from[x.w + 1]});
    }
  return y;
}

// The transposed convolution of 2 by 2 taps with stride 2, then the channels of `beside` behind its own.
maps enlarge(const maps& x, const float* w, const float* bias, const maps& beside) {
  int64_t channels = x.c / 2;
  maps y{channels + beside.c, x.n, 2 * x.h, 2 * x.w};
#pragma omp parallel for schedule(static)
  for (int64_t o = 0; o < channels; ++o) {
    std::fill_n(y.channel(o), y.pixels(), bias[o]);
    for (int64_t c = 0; c < x.c; ++c) {
      const float* k = w + (c * channels + o) * 4;
      for (int64_t row = 0; row < x.n * x.h; ++row)
        for (int64_t i = 0; i < x.w; ++i) {
          float number = x.channel(c)[row * x.w + i];
          float* to = y.channel(o) + 2 * row * y.w + 2 * i;
          to[0] += k[0] * number, to[1] += k[1] * number, to[y.w] += k[2] * number, to[y.w + 1] += k[3] * number;
        }
    }
  }
  std::copy(beside.data.begin(), beside.data.end(), y.channel(channels));
  return y;
}

}  // namespace

extern "C" void unet_softmax(const float* x, const float* weights, const float* scale, const float* up,
                             const float* up_bias, const float* last, const float* bias, float* y, int64_t N, int64_t I, int64_t A, int64_t B,
                             int64_t C, int64_t K) {
  // The kernel and scales of a layer follow those of the layer before it.
  auto pair = [&](maps in, int64_t channels) {
    for (int layer = 0; layer < 2; ++layer) {
      maps out = convolve(in, weights, channels, {3, 1, 1});
      normalize(out, scale);
      weights += channels * in.c * 9, scale += channels;
      in = std::move(out);
    }
    return in;
  };
  std::vector<maps> kept;
  maps h = read_images(x, N, I, 16 * A, 16 * B);
  for (int64_t factor : {1, 2, 4, 8}) {
    kept.push_back(pair(std::move(h), factor * C));
    h = pool(kept.back());
  }
  h = pair(std::move(h), 16 * C);
  for (int64_t factor : {8, 4, 2, 1}) {
    maps larger = enlarge(h, up, up_bias, kept.back());
    up += h.c * (h.c / 2) * 4, up_bias += h.c / 2;
    kept.pop_back();
    h = pair(std::move(larger), factor * C);
  }
  int64_t area = h.h * h.w;
  for (int64_t n = 0; n < N; ++n)
    for (int64_t k = 0; k < K; ++k) {
      float* out = y + (n * K + k) * area;
      std::fill_n(out, area, bias[k]);
      for (int64_t c = 0; c < C; ++c)
        for (int64_t p = 0; p < area; ++p) out[p] += last[k * C + c] * h.channel(c)[n * area + p];
    }
}
