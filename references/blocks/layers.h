// SPDX-License-Identifier: Apache-2.0
// Layers of networks over images whose channels lie one behind the other.
#pragma once

#include "blocks/vector_math.h"
#include "blocks/convolution.h"

#include <cmath>

namespace blocks {

/// data [n, c, h, w]: images, channels, rows, columns.
struct Images {
  int64_t n, c, h, w;
  std::vector<float> data = std::vector<float>(n * c * h * w);

  float* image(int64_t i) { return &data[i * c * h * w]; }
  const float* image(int64_t i) const { return &data[i * c * h * w]; }
};

/// w [channels, c, size, size], bias [channels] or none: [n, channels, h + 2 pad - size + 1, ...], or every `stride`-th of them.
inline Images convolved(const Images& x, const float* w, const float* bias, int64_t channels, int64_t size, int64_t pad,
                        int64_t stride = 1) {
  Images y{x.n, channels, (x.h + 2 * pad - size) / stride + 1, (x.w + 2 * pad - size) / stride + 1};
  convolve({x.n, x.c, channels, 1, {}, {x.h, size, y.h, stride, pad}, {x.w, size, y.w, stride, pad}}, x.data.data(), w, bias,
           y.data.data());
  return y;
}

/// Nothing below zero, [n, c, h, w].
inline Images bent(Images x) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] = x.data[i] < 0 ? 0 : x.data[i];
  return x;
}

/// The largest of each size by size elements, from every other row and column on: [n, c, (h - size) / 2 + 1, (w - size) / 2 + 1].
inline Images pooled_by_two(const Images& x, int64_t size) {
  Images y{x.n, x.c, (x.h - size) / 2 + 1, (x.w - size) / 2 + 1};
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < y.n * y.c * y.h; ++row) {
    float* best = &y.data[row * y.w];
    std::fill_n(best, y.w, -std::numeric_limits<float>::infinity());
    for (int64_t t = 0; t < size * size; ++t) {
      const float* in = &x.data[(row / y.h * x.h + row % y.h * 2 + t / size) * x.w + t % size];
#pragma omp simd
      for (int64_t i = 0; i < y.w; ++i) {
        const float value = in[2 * i];
        best[i] = (value > best[i]) | (value != value) ? value : best[i];
      }
    }
  }
  return y;
}

/// Each channel by its mean and variance over all images, then times scale[c] plus shift[c], and nothing below `low`.
inline void normalize(Images& x, const float* scale, const float* shift, float low) {
  const int64_t area = x.h * x.w;
  const double count = static_cast<double>(x.n * area);
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < x.c; ++c) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < x.n; ++i) {
      const float* v = x.image(i) + c * area;
#pragma omp simd reduction(+ : sum)
      for (int64_t p = 0; p < area; ++p) sum += v[p];
    }
    const double mean = sum / count;
    for (int64_t i = 0; i < x.n; ++i) {
      const float* v = x.image(i) + c * area;
#pragma omp simd reduction(+ : squares)
      for (int64_t p = 0; p < area; ++p) squares += (v[p] - mean) * (v[p] - mean);
    }
    const double factor = scale[c] / std::sqrt(squares / count + 1e-5);
    for (int64_t i = 0; i < x.n; ++i) {
      float* v = x.image(i) + c * area;
      for (int64_t p = 0; p < area; ++p) {
        const float z = static_cast<float>((v[p] - mean) * factor + shift[c]);
        v[p] = z < low ? low : z;
      }
    }
  }
}

/// y [N, O] = x [N, I] w [O, I]^T + b [O], and nothing below `low`.
inline void linear(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t I, int64_t O,
                   float low = -std::numeric_limits<float>::infinity()) {
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

}  // namespace blocks
