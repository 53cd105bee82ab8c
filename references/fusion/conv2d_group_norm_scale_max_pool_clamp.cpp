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

extern "C" void conv2d_group_norm_scale_max_pool_clamp(const float* x, const float* w, const float* b, const float* factor,
                                                       const float* scale, const float* bias, float* y, int64_t N, int64_t C, int64_t H,
                                                       int64_t W, int64_t G, int64_t M) {
  const int64_t columns = W - 2, plane = (H - 2) * columns, windows_down = (H - 2) / 4, windows = columns / 4;
#pragma omp parallel
  {
    std::vector<float> image(M * plane);
#pragma omp for
    for (int64_t group = 0; group < N * G; ++group) {
      for (int64_t m = 0; m < M; ++m) {
        const int64_t channel = group % G * M + m;
        convolve(x + group / G * C * H * W, w + channel * C * 9, b[channel], image.data() + m * plane, C, H, W);
      }
      const Moments moments = moments_of(M * plane, [&](int64_t i) { return image[i]; });
      for (int64_t m = 0; m < M; ++m) {
        const int64_t channel = group % G * M + m;
        const auto normal = [&](int64_t i) {
          const float centred = static_cast<float>(image[m * plane + i] - moments.mean);
          return (centred * moments.factor * scale[channel] + bias[channel]) * factor[channel];
        };
        for (int64_t h = 0; h < windows_down; ++h)
          for (int64_t o = 0; o < windows; ++o) {
            float most = normal(4 * h * columns + 4 * o);
            for (int64_t i = 0; i < 16; ++i) {
              const float other = normal((4 * h + i / 4) * columns + 4 * o + i % 4);
              most = other > most || std::isnan(other) ? other : most;
            }
            y[((group * M + m) * windows_down + h) * windows + o] = most < 0 ? 0 : most > 1 ? 1 : most;  // NaN stays
          }
      }
    }
  }
}
