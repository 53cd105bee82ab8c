// SPDX-License-Identifier: Apache-2.0
// Images of several channels between the layers of a network, a channel's maps of all images side by side: one channel is one row of a
// product, and its mean over all images is that of neighbours.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace blocks {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// data [c, n, h, w]: channels, images, rows, columns.
struct Maps {
  int64_t c, n, h, w;
  std::vector<float> data = std::vector<float>(c * n * h * w);

  int64_t pixels() const { return n * h * w; }
  float* channel(int64_t i) { return &data[i * pixels()]; }
  const float* channel(int64_t i) const { return &data[i * pixels()]; }
};

/// Of a square, or its kernel's [O, C / groups, size, size].
struct Window {
  int64_t size = 1, stride = 1, pad = 0, groups = 1;

  int64_t taps() const { return size * size; }
  int64_t extent(int64_t in) const { return (in + 2 * pad - size) / stride + 1; }
};

/// x [N, C, H, W] as maps.
inline Maps read_images(const float* x, int64_t N, int64_t C, int64_t H, int64_t W) {
  Maps images{C, N, H, W};
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t i = 0; i < N; ++i)
    for (int64_t c = 0; c < C; ++c) std::copy_n(x + (i * C + c) * H * W, H * W, images.channel(c) + i * H * W);
  return images;
}

/// y [n, c, h, w] of maps.
inline void write_images(const Maps& x, float* y) {
  const int64_t area = x.h * x.w;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t i = 0; i < x.n; ++i)
    for (int64_t c = 0; c < x.c; ++c) std::copy_n(x.channel(c) + i * area, area, y + (i * x.c + c) * area);
}

/// The channels of `other` [d, n, h, w] behind those of x [c, n, h, w].
inline void append(Maps& x, const Maps& other) {
  x.c += other.c;
  x.data.insert(x.data.end(), other.data.begin(), other.data.end());
}

/// The largest of each window, [c, n, extent(h), extent(w)]; a border counts for nothing.
inline Maps pooled(const Maps& x, const Window& k) {
  Maps y{x.c, x.n, k.extent(x.h), k.extent(x.w)};
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < x.c * x.n; ++plane) {
    const float* in = &x.data[plane * x.h * x.w];
    for (int64_t oh = 0; oh < y.h; ++oh)
      for (int64_t ow = 0; ow < y.w; ++ow) {
        const int64_t top = oh * k.stride - k.pad, left = ow * k.stride - k.pad;
        float best = -kInfinity;
        for (int64_t h = std::max<int64_t>(0, top); h < std::min(x.h, top + k.size); ++h)
          for (int64_t v = std::max<int64_t>(0, left); v < std::min(x.w, left + k.size); ++v)
            if (const float value = in[h * x.w + v]; value > best || value != value) best = value;
        y.data[(plane * y.h + oh) * y.w + ow] = best;
      }
  }
  return y;
}

/// Each channel by its mean and variance over all images, then times scale[c] plus shift[c], and kept between `low` and `high`.
inline void normalize(Maps& x, const float* scale, const float* shift, float low, float high) {
  const int64_t count = x.pixels();
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < x.c; ++c) {
    float* v = x.channel(c);
    double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t p = 0; p < count; ++p) sum += v[p];
    const double mean = sum / static_cast<double>(count);
#pragma omp simd reduction(+ : squares)
    for (int64_t p = 0; p < count; ++p) squares += (v[p] - mean) * (v[p] - mean);
    const double factor = scale[c] / std::sqrt(squares / static_cast<double>(count) + 1e-5);
    for (int64_t p = 0; p < count; ++p) {
      const float z = static_cast<float>((v[p] - mean) * factor + shift[c]);
      v[p] = z < low ? low : z > high ? high : z;
    }
  }
}

/// The mean of each channel, then a linear layer: w [K, c], b [K], y [n, K].
inline void classify(const Maps& x, const float* w, const float* b, float* y, int64_t K) {
  const int64_t area = x.h * x.w;
  for (int64_t i = 0; i < x.n; ++i) {
    std::vector<float> means(x.c);
    for (int64_t c = 0; c < x.c; ++c) {
      const float* v = x.channel(c) + i * area;
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t p = 0; p < area; ++p) sum += v[p];
      means[c] = static_cast<float>(sum / static_cast<double>(area));
    }
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < K; ++k) {
      float sum = b[k];
#pragma omp simd reduction(+ : sum)
      for (int64_t c = 0; c < x.c; ++c) sum += w[k * x.c + c] * means[c];
      y[i * K + k] = sum;
    }
  }
}

}  // namespace blocks
