// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

namespace {

struct Moments {
  double mean, variance;
};

// Relative to the first element, so that a large offset does not cancel.
Moments moments(const float* x, int64_t size) {
  const double origin = x[0];
  double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
  for (int64_t i = 0; i < size; ++i) {
    const double distance = x[i] - origin;
    sum += distance;
    squares += distance * distance;
  }
  const double offset = sum / size;
  return {origin + offset, squares / size - offset * offset};
}

}  // namespace

void group_norm(const float* x, const float* scale, const float* bias, float* y, int64_t N, int64_t C, int64_t H, int64_t W) {
  constexpr int64_t groups = 8;
  const int64_t channels = C / groups, plane = H * W, size = channels * plane;
#pragma omp parallel for schedule(static)
  for (int64_t group = 0; group < N * groups; ++group) {
    const float* in = x + group * size;
    float* out = y + group * size;
    const auto [mean, variance] = moments(in, size);
    const double factor = 1 / std::sqrt(variance + 1e-5);
    for (int64_t k = 0; k < channels; ++k) {
      const int64_t c = group % groups * channels + k;
      for (int64_t i = k * plane; i < (k + 1) * plane; ++i) out[i] = (in[i] - mean) * factor * scale[c] + bias[c];
    }
  }
}
