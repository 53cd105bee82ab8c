// SPDX-License-Identifier: Apache-2.0
// The product is computed twice rather than kept.
#include <cmath>

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

}  // namespace

extern "C" void add_multiply_group_norm(const float* x, const float* z, const float* scale, const float* bias, float* y, int64_t N,
                                        int64_t G, int64_t C, int64_t H, int64_t W) {
  const int64_t plane = H * W;
#pragma omp parallel for
  for (int64_t group = 0; group < N * G; ++group) {
    const int64_t begin = group * C * plane;
    const auto product = [&](int64_t i) { return (x[begin + i] + z[begin + i]) * z[begin + i]; };
    const Moments moments = moments_of(C * plane, product);
    for (int64_t c = 0; c < C; ++c) {
      const float factor = scale[group % G * C + c], shift = bias[group % G * C + c];
#pragma omp simd
      for (int64_t i = c * plane; i < (c + 1) * plane; ++i)
        y[begin + i] = static_cast<float>(product(i) - moments.mean) * moments.factor * factor + shift;
    }
  }
}
