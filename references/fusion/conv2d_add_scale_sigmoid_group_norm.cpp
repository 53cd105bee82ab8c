// SPDX-License-Identifier: Apache-2.0
// A group's channels lie in cache from the convolution to the result.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// Mean and 1 / sqrt(variance + 1e-5) of `size` numbers, gathered in double and relative to the first one, so that neither a large
/// offset nor a constant cancels.
struct Moments {
  double mean;
  float factor;
};

template <class At>
Moments moments_of(int64_t size, At at) {
  const double origin = at(0);
  double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
  for (int64_t i = 0; i < size; ++i) {
    const double distance = at(i) - origin;
    sum += distance;
    squares += distance * distance;
  }
  const double offset = sum / size, variance = squares / size - offset * offset;
  return {origin + offset, static_cast<float>(1 / std::sqrt(variance + 1e-5))};
}

/// A sample's convolution with the 3 by 3 taps of one output channel.
void convolve(const float* x, const float* taps, float bias, float* out, int64_t C, int64_t H, int64_t W) {
  const int64_t rows = H - 2, columns = W - 2;
  for (int64_t h = 0; h < rows; ++h) {
    float* row = out + h * columns;
    std::fill_n(row, columns, bias);
    for (int64_t c = 0; c < C; ++c)
      for (int64_t p = 0; p < 3; ++p) {
        const float* in = x + (c * H + h + p) * W;
        const float* k = taps + (c * 3 + p) * 3;
#pragma omp simd
        for (int64_t o = 0; o < columns; ++o) row[o] += k[0] * in[o] + k[1] * in[o + 1] + k[2] * in[o + 2];
      }
  }
}

}  // namespace

extern "C" void conv2d_add_scale_sigmoid_group_norm(const float* x, const float* w, const float* b, const float* shift,
                                                    const float* factor, const float* scale, const float* bias, float* y, int64_t N,
                                                    int64_t C, int64_t H, int64_t W, int64_t G, int64_t M) {
  const int64_t plane = (H - 2) * (W - 2);
#pragma omp parallel for
  for (int64_t group = 0; group < N * G; ++group) {
    float* out = y + group * M * plane;
    for (int64_t m = 0; m < M; ++m) {
      const int64_t channel = group % G * M + m;
      float* image = out + m * plane;
      convolve(x + group / G * C * H * W, w + channel * C * 9, b[channel], image, C, H, W);
      for (int64_t i = 0; i < plane; ++i) image[i] = 1 / (1 + std::exp(-(image[i] + shift[channel]) * factor[channel]));
    }
    const Moments moments = moments_of(M * plane, [&](int64_t i) { return out[i]; });
    for (int64_t m = 0; m < M; ++m) {
      const float gain = scale[group % G * M + m], offset = bias[group % G * M + m];
#pragma omp simd
      for (int64_t i = m * plane; i < (m + 1) * plane; ++i)
        out[i] = static_cast<float>(out[i] - moments.mean) * moments.factor * gain + offset;
    }
  }
}
