// SPDX-License-Identifier: Apache-2.0
// What batch, group, instance and layer norm have in common (Wu and He, "Group Normalization", ECCV 2018).
#pragma once

#include <cmath>
#include <cstdint>

namespace blocks {

struct Moments {
  double mean, variance;
};

/// Of z[size], by sums in double.
inline Moments moments(const float* z, int64_t size) {
  double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  const double mean = sum / size;
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < size; ++i) squares += (z[i] - mean) * (z[i] - mean);
  return {mean, squares / size};
}

/// z[size] with mean 0 and variance 1, but for the 1e-5 below the root.
inline void normalize(float* z, int64_t size) {
  const auto [mean, variance] = moments(z, size);
  const double factor = 1 / std::sqrt(variance + 1e-5);
  for (int64_t i = 0; i < size; ++i) z[i] = static_cast<float>((z[i] - mean) * factor);
}

}  // namespace blocks
