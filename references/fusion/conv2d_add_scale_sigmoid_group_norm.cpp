// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its groups one by one, in place.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"

#include <cmath>

#include "kernel.h"

namespace {

/// Mean and 1 / sqrt(variance + 1e-5) of `size` numbers, gathered in double and relative to the first one, so that neither a large
/// offset nor a constant cancels.
struct Moments {
  double mean;
  float factor;
};

Moments moments_of(const float* z, int64_t size) {
  const double origin = z[0];
  double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
  for (int64_t i = 0; i < size; ++i) {
    const double distance = z[i] - origin;
    sum += distance;
    squares += distance * distance;
  }
  const double offset = sum / size, variance = squares / size - offset * offset;
  return {origin + offset, static_cast<float>(1 / std::sqrt(variance + 1e-5))};
}

}  // namespace

extern "C" void conv2d_add_scale_sigmoid_group_norm(const float* x, const float* w, const float* b, const float* shift,
                                                    const float* factor, const float* scale, const float* bias, float* y, int64_t N,
                                                    int64_t C, int64_t H, int64_t W, int64_t G, int64_t M) {
  const int64_t plane = (H - 2) * (W - 2);
  blocks::convolve({.N = N, .C = C, .O = G * M, .height = {H, 3, H - 2}, .width = {W, 3, W - 2}}, x, w, b, y);
#pragma omp parallel for
  for (int64_t group = 0; group < N * G; ++group) {
    float* out = y + group * M * plane;
    for (int64_t m = 0; m < M; ++m) {
      const float add = shift[group % G * M + m], times = factor[group % G * M + m];
      for (int64_t i = m * plane; i < (m + 1) * plane; ++i) out[i] = 1 / (1 + blocks::exp(-(out[i] + add) * times));
    }
    const Moments moments = moments_of(out, M * plane);
    for (int64_t m = 0; m < M; ++m) {
      const float gain = scale[group % G * M + m], offset = bias[group % G * M + m];
#pragma omp simd
      for (int64_t i = m * plane; i < (m + 1) * plane; ++i)
        out[i] = static_cast<float>(out[i] - moments.mean) * moments.factor * gain + offset;
    }
  }
}
