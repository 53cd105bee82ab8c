// SPDX-License-Identifier: Apache-2.0
// One pass gathers both moments of a sample, in double and relative to its first element, so that neither a
// large offset nor a constant input cancels; a second pass normalises.
#include <cmath>
#include <cstdint>

#include "kernel.h"

extern "C" void layer_norm(const float* x, const float* scale, const float* bias, float* y, int64_t N,
                           int64_t C, int64_t H, int64_t W) {
  const int64_t size = C * H * W;
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * size;
    float* __restrict out = y + n * size;
    const double origin = in[0];
    double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
    for (int64_t i = 0; i < size; ++i) {
      const double distance = in[i] - origin;
      sum += distance;
      squares += distance * distance;
    }
    const double offset = sum / size;
    // Never negative: the first distance is 0, so the variance is at least squares / size^2, far above its rounding.
    const double variance = squares / size - offset * offset;
    const float factor = 1 / std::sqrt(variance + 1e-5);
    // The mean in two floats: one alone would cost the digits that a large offset hides.
    const double mean = origin + offset;
    const float high = mean;
    const float low = mean - high;
#pragma omp simd
    for (int64_t i = 0; i < size; ++i) out[i] = ((in[i] - high) - low) * factor * scale[i] + bias[i];
  }
}
