// SPDX-License-Identifier: Apache-2.0
// A channel at a time, over the planes that it has in the samples: one pass gathers both moments, in double
// and relative to its first element, so that neither a large offset nor a constant input cancels; a second
// normalises.
#include <cmath>
#include <cstdint>

#include "kernel.h"

namespace {

constexpr double kMomentum = 0.875;
constexpr double kEpsilon = 1e-5;

struct Moments {
  double mean, variance;
};

// Of N planes of `size` elements, `stride` apart.
Moments channel_moments(const float* x, int64_t N, int64_t stride, int64_t size) {
  const double origin = x[0];
  double sum = 0, squares = 0;
  for (int64_t n = 0; n < N; ++n) {
    const float* plane = x + n * stride;
#pragma omp simd reduction(+ : sum, squares)
    for (int64_t i = 0; i < size; ++i) {
      const double distance = plane[i] - origin;
      sum += distance;
      squares += distance * distance;
    }
  }
  const double offset = sum / (N * size);
  // Never negative: the first distance is 0, so the variance is at least squares / (N size)^2, far above its rounding.
  return {origin + offset, squares / (N * size) - offset * offset};
}

}  // namespace

extern "C" void batch_norm(const float* x, const float* scale, const float* bias, const float* running_mean,
                           const float* running_var, float* y, float* new_mean, float* new_var, int64_t N,
                           int64_t C, int64_t H, int64_t W) {
  const int64_t size = H * W;
#pragma omp parallel for
  for (int64_t c = 0; c < C; ++c) {
    const auto [mean, variance] = channel_moments(x + c * size, N, C * size, size);
    new_mean[c] = kMomentum * running_mean[c] + (1 - kMomentum) * mean;
    new_var[c] = kMomentum * running_var[c] + (1 - kMomentum) * variance;

    const float factor = scale[c] / std::sqrt(variance + kEpsilon);
    const float shift = bias[c];
    // The mean in two floats: one alone would cost the digits that a large offset hides.
    const float high = mean;
    const float low = mean - high;
    for (int64_t n = 0; n < N; ++n) {
      const float* in = x + (n * C + c) * size;
      float* __restrict out = y + (n * C + c) * size;
#pragma omp simd
      for (int64_t i = 0; i < size; ++i) out[i] = ((in[i] - high) - low) * factor + shift;
    }
  }
}
