// SPDX-License-Identifier: Apache-2.0
// The features of one group lie in cache until they are normalised.
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

}  // namespace

extern "C" void gemm_bias_add_hardtanh_mish_group_norm(const float* x, const float* w, const float* b, const float* shift, const float* scale, const float* bias, float* y,
                       int64_t N, int64_t K, int64_t G, int64_t C) {
#pragma omp parallel
  {
    std::vector<float> features(C);
#pragma omp for collapse(2)
    for (int64_t n = 0; n < N; ++n)
      for (int64_t g = 0; g < G; ++g) {
        for (int64_t c = 0; c < C; ++c) {
          const int64_t f = g * C + c;
          float sum = 0;
#pragma omp simd reduction(+ : sum)
          for (int64_t k = 0; k < K; ++k) sum += x[n * K + k] * w[f * K + k];
          sum += b[f];
          const float moved = sum + shift[f], held = moved < -1 ? -1 : moved > 1 ? 1 : moved;  // NaN stays
          features[c] = held * std::tanh(std::log1p(std::exp(held)));
        }
        const Moments moments = moments_of(C, [&](int64_t c) { return features[c]; });
        for (int64_t c = 0; c < C; ++c) {
          const int64_t f = g * C + c;
          const float normal = static_cast<float>(features[c] - moments.mean) * moments.factor * scale[f] + bias[f];
          y[n * G * C + f] = normal;
        }
      }
  }
}
