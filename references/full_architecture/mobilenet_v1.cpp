// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole. A convolution copies what the taps of a tile of pixels read into vectors, whose lanes are pixels, and
// multiplies them by several output channels at a time.
#include <algorithm>
#include <cmath>
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

// Each channel by its mean and variance over all images, then kept between `low` and `high`.
void normalize(maps& x, const float* scale, const float* shift, float low, float high) {
  int64_t count = x.pixels();
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < x.c; ++c) {
    float* v = x.channel(c);
    double sum = 0, squares = 0;
    for (int64_t p = 0; p < count; ++p) sum += v[p];
    double mean = sum / static_cast<double>(count);
    for (int64_t p = 0; p < count; ++p) squares += (v[p] - mean) * (v[p] - mean);
    double factor = scale[c] / std::sqrt(squares / static_cast<double>(count) + 1e-5);
    for (int64_t p = 0; p < count; ++p) {
      float z = static_cast<float>((v[p] - mean) * factor + shift[c]);
      v[p] = z < low ? low : z > high ? high : z;
    }
  }
}

// y = x w^T + b, and nothing below `low`.
void linear(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t I, int64_t O, float low) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t o = 0; o < O; ++o) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < I; ++i) sum += x[n * I + i] * w[o * I + i];
      sum += b[o];
      y[n * O + o] = sum < low ? low : sum;
    }
}

constexpr float infinity = std::numeric_limits<float>::infinity();

struct block {
  int64_t channels, stride;  // channels in units of C
};
constexpr block blocks[] = {{2, 1}, {4, 2}, {4, 1}, {8, 2}, {8, 1}, {16, 2}, {16, 1}, {16, 1}, {16, 1}, {16, 1}, {16, 1}, {32, 2}, {32, 1}};

// The mean of each 7x7, image after image.
std::vector<float> means(const maps& x) {
  int64_t rows_out = x.h / 7, columns = x.w / 7;
  std::vector<float> y;
  for (int64_t i = 0; i < x.n; ++i)
    for (int64_t c = 0; c < x.c; ++c)
      for (int64_t oh = 0; oh < rows_out; ++oh)
        for (int64_t ow = 0; ow < columns; ++ow) {
          double sum = 0;
          for (int64_t t = 0; t < 49; ++t) sum += x.channel(c)[(i * x.h + oh * 7 + t / 7) * x.w + ow * 7 + t % 7];
          y.push_back(static_cast<float>(sum / 49));
        }
  return y;
}

}  // namespace

extern "C" void mobilenet_v1(const float* x, const float* weights, const float* scale, const float* shift, const float* head,
                             const float* b, float* y, int64_t N, int64_t P, int64_t C, int64_t K) {
  // The kernel, scales and shifts of a layer follow those of the layer before it.
  auto layer = [&](const maps& in, int64_t channels, const window& k) {
    maps out = convolve(in, weights, channels, k);
    normalize(out, scale, shift, 0, infinity);
    weights += channels * (in.c / k.groups) * k.taps(), scale += channels, shift += channels;
    return out;
  };
  maps h = layer(read_images(x, N, 3, 224 * P, 224), C, {3, 2, 1});
  for (const block& next : blocks) {
    h = layer(h, h.c, {3, next.stride, 1, h.c});
    h = layer(h, next.channels * C, {});
  }
  linear(means(h).data(), head, b, y, N, 32 * C * P, K, -infinity);
}
