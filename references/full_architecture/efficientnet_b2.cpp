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

// Each channel of each image times sigmoid(v relu(u m)), where m are its channels' means.
void excite(maps& x, const float* u, const float* v, int64_t squeezed) {
  int64_t area = x.h * x.w;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < x.n; ++i) {
    std::vector<float> means(x.c), active(squeezed);
    for (int64_t c = 0; c < x.c; ++c) {
      double sum = 0;
      for (int64_t p = 0; p < area; ++p) sum += x.channel(c)[i * area + p];
      means[c] = static_cast<float>(sum / static_cast<double>(area));
    }
    for (int64_t q = 0; q < squeezed; ++q) {
      float sum = 0;
      for (int64_t c = 0; c < x.c; ++c) sum += u[q * x.c + c] * means[c];
      active[q] = sum < 0 ? 0 : sum;
    }
    for (int64_t c = 0; c < x.c; ++c) {
      float sum = 0;
      for (int64_t q = 0; q < squeezed; ++q) sum += v[c * squeezed + q] * active[q];
      float factor = 1 / (1 + std::exp(-sum));
      for (int64_t p = 0; p < area; ++p) x.channel(c)[i * area + p] *= factor;
    }
  }
}

constexpr float infinity = std::numeric_limits<float>::infinity();

struct block {
  int64_t hidden, squeezed, channels, stride;  // channels in units of C
};
constexpr block blocks[] = {{12, 3, 12, 1}, {72, 18, 18, 2}, {108, 27, 24, 2}, {144, 36, 36, 2}, {216, 54, 48, 1}};

}  // namespace

extern "C" void efficientnet_b2(const float* x, const float* weights, const float* scale, const float* shift, const float* head,
                                const float* b, float* y, int64_t N, int64_t H, int64_t W, int64_t C, int64_t K) {
  // The kernel, scales and shifts of a layer follow those of the layer before it.
  auto layer = [&](const maps& in, int64_t channels, const window& k, float low) {
    maps out = convolve(in, weights, channels, k);
    normalize(out, scale, shift, low, infinity);
    weights += channels * (in.c / k.groups) * k.taps(), scale += channels, shift += channels;
    return out;
  };
  maps h = layer(read_images(x, N, 3, H, W), 4 * C, {3, 2, 1}, 0);
  for (const block& next : blocks) {
    int64_t hidden = next.hidden * C, squeezed = next.squeezed * C;
    h = layer(h, hidden, {}, 0);
    h = layer(h, hidden, {3, next.stride, 1, hidden}, 0);
    excite(h, weights, weights + hidden * squeezed, squeezed);
    weights += 2 * hidden * squeezed;
    h = layer(h, next.channels * C, {}, -infinity);
  }
  classify(layer(h, 176 * C, {}, 0), head, b, y, K);
}
