// SPDX-License-Identifier: Apache-2.0
// Over numbers that are apart, of neighbours side by side, so that loops take vectors: no exponential overflows, as each neighbour's
// largest number is subtracted first.
#pragma once

#include "blocks/vector_math.h"

#include <algorithm>
#include <vector>

namespace blocks {

constexpr int64_t kNeighbours = 256;  ///< at a time, of which the numbers lie in cache

/// Softmax in place over O numbers that are `stride` apart, of each of `count` neighbours.
inline void softmax(float* z, int64_t O, int64_t stride, int64_t count) {
  std::vector<float> top(z, z + count), sum(count);
  for (int64_t o = 1; o < O; ++o)
    for (int64_t i = 0; i < count; ++i) top[i] = std::max(top[i], z[o * stride + i]);
  for (int64_t o = 0; o < O; ++o)
    for (int64_t i = 0; i < count; ++i) {
      const float power = exp(z[o * stride + i] - top[i]);
      z[o * stride + i] = power;
      sum[i] += power;
    }
  for (int64_t o = 0; o < O; ++o)
    for (int64_t i = 0; i < count; ++i) z[o * stride + i] /= sum[i];
}

/// y[count] = the logarithm of the sum of exponentials over O numbers that are `stride` apart.
inline void log_sum_exp(const float* z, int64_t O, int64_t stride, int64_t count, float* y) {
  std::vector<float> top(z, z + count);
  std::vector<double> sum(count);
  for (int64_t o = 1; o < O; ++o)
    for (int64_t i = 0; i < count; ++i) top[i] = std::max(top[i], z[o * stride + i]);
  for (int64_t o = 0; o < O; ++o)
    for (int64_t i = 0; i < count; ++i) sum[i] += exp(z[o * stride + i] - top[i]);
  for (int64_t i = 0; i < count; ++i) y[i] = top[i] + log(static_cast<float>(sum[i]));
}

}  // namespace blocks
