// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole. A convolution adds one tap after another to a plane of its output.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernel.h"

namespace {

struct maps {
  int64_t n, c, h, w;  // images, channels, rows, columns
  std::vector<float> data;
  int64_t area() const { return h * w; }
  float* plane(int64_t i, int64_t channel) { return &data[(i * c + channel) * area()]; }
  const float* plane(int64_t i, int64_t channel) const { return &data[(i * c + channel) * area()]; }
};

struct window {
  int64_t size = 1, stride = 1, pad = 0, groups = 1;
};

// Adds one tap's products to a plane; columns whose input lies in the padding are left out.
void add_tap(const maps& x, const float* in, float weight, int64_t kh, int64_t kw, const window& k, const maps& y, float* out) {
  int64_t first = k.pad > kw ? (k.pad - kw + k.stride - 1) / k.stride : 0;
  int64_t last = std::min(y.w, (x.w - 1 + k.pad - kw) / k.stride + 1);
  for (int64_t oh = 0; oh < y.h; ++oh) {
    int64_t ih = oh * k.stride + kh - k.pad;
    if (ih < 0 || ih >= x.h) continue;
    const float* from = in + ih * x.w + kw - k.pad;
    float* to = out + oh * y.w;
    if (k.stride == 1)
      for (int64_t ow = first; ow < last; ++ow) to[ow] += weight * from[ow];
    else
      for (int64_t ow = first; ow < last; ++ow) to[ow] += weight * from[ow * k.stride];
  }
}

maps convolve(const maps& x, const float* w, int64_t channels, const window& k) {
  maps y{x.n, channels, (x.h + 2 * k.pad - k.size) / k.stride + 1, (x.w + 2 * k.pad - k.size) / k.stride + 1, {}};
  y.data.assign(y.n * y.c * y.area(), 0.0f);
  int64_t inputs = x.c / k.groups, outputs = y.c / k.groups, taps = k.size * k.size;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t i = 0; i < x.n; ++i)
    for (int64_t o = 0; o < y.c; ++o)
      for (int64_t c = 0; c < inputs; ++c)
        for (int64_t t = 0; t < taps; ++t)
          add_tap(x, x.plane(i, o / outputs * inputs + c), w[(o * inputs + c) * taps + t], t / k.size, t % k.size, k, y, y.plane(i, o));
  return y;
}

// Each channel by its mean and variance over all images, then kept between `low` and `high`.
void normalize(maps& x, const float* scale, const float* shift, float low, float high) {
  double count = static_cast<double>(x.n * x.area());
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < x.c; ++c) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < x.n; ++i)
      for (int64_t p = 0; p < x.area(); ++p) sum += x.plane(i, c)[p];
    double mean = sum / count;
    for (int64_t i = 0; i < x.n; ++i)
      for (int64_t p = 0; p < x.area(); ++p) squares += (x.plane(i, c)[p] - mean) * (x.plane(i, c)[p] - mean);
    double factor = scale[c] / std::sqrt(squares / count + 1e-5);
    for (int64_t i = 0; i < x.n; ++i)
      for (int64_t p = 0; p < x.area(); ++p) {
        float v = static_cast<float>((x.plane(i, c)[p] - mean) * factor + shift[c]);
        x.plane(i, c)[p] = v < low ? low : v > high ? high : v;
      }
  }
}

// The mean of each channel, then a linear layer.
void classify(const maps& x, const float* w, const float* b, float* y, int64_t K) {
  for (int64_t i = 0; i < x.n; ++i) {
    std::vector<float> means(x.c);
    for (int64_t c = 0; c < x.c; ++c) {
      double sum = 0;
      for (int64_t p = 0; p < x.area(); ++p) sum += x.plane(i, c)[p];
      means[c] = static_cast<float>(sum / static_cast<double>(x.area()));
    }
    for (int64_t k = 0; k < K; ++k) {
      float sum = b[k];
      for (int64_t c = 0; c < x.c; ++c) sum += w[k * x.c + c] * means[c];
      y[i * K + k] = sum;
    }
  }
}

struct block {
  int64_t hidden, channels, stride;  // channels in units of C
};
constexpr block blocks[] = {{4, 2, 1},  {12, 3, 2},  {18, 3, 1},  {18, 4, 2},  {24, 4, 1},  {24, 4, 1},   {24, 8, 2},   {48, 8, 1},  {48, 8, 1},
                            {48, 8, 1}, {48, 12, 1}, {72, 12, 1}, {72, 12, 1}, {72, 20, 2}, {120, 20, 1}, {120, 20, 1}, {120, 40, 1}};

}  // namespace

extern "C" void mobilenet_v2(const float* x, const float* stem, const float* expand, const float* depthwise, const float* project,
                             const float* head, const float* scale, const float* shift, const float* w, const float* b, float* y,
                             int64_t N, int64_t H, int64_t W, int64_t C, int64_t K) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  auto layer = [&](const maps& in, const float* weights, int64_t channels, const window& k, float low = 0, float high = 6) {
    maps out = convolve(in, weights, channels, k);
    normalize(out, scale, shift, low, high);
    scale += channels, shift += channels;
    return out;
  };
  maps h{N, 3, H, W, std::vector<float>(x, x + N * 3 * H * W)};
  h = layer(h, stem, 4 * C, {3, 2, 1});
  for (const block& next : blocks) {
    int64_t hidden = next.hidden * C, channels = next.channels * C;
    if (&next != blocks) {
      int64_t inputs = h.c;
      h = layer(h, expand, hidden, {});
      expand += hidden * inputs;
    }
    h = layer(h, depthwise, hidden, {3, next.stride, 1, hidden});
    depthwise += hidden * 9;
    h = layer(h, project, channels, {}, -infinity, infinity);
    project += channels * hidden;
  }
  classify(layer(h, head, 160 * C, {}), w, b, y, K);
}
