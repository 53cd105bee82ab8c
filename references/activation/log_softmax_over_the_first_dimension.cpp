// SPDX-License-Identifier: Apache-2.0
// A strip of neighbouring columns goes down the axis three times: for the maximum of each column, for the sum of the
// exponentials of what lies below it, and for the results.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace {

constexpr int64_t kStrip = 64;

void normalise_strip(const float* x, float* y, int64_t M, int64_t stride, int64_t width) {
  float largest[kStrip];
  double sum[kStrip] = {};
  std::copy(x, x + width, largest);
  for (int64_t m = 1; m < M; ++m)
    for (int64_t i = 0; i < width; ++i) largest[i] = std::max(largest[i], x[m * stride + i]);
  for (int64_t m = 0; m < M; ++m)
    for (int64_t i = 0; i < width; ++i) sum[i] += blocks::exp(x[m * stride + i] - largest[i]);
  for (int64_t i = 0; i < width; ++i) sum[i] = std::log(sum[i]);
  for (int64_t m = 0; m < M; ++m)
    for (int64_t i = 0; i < width; ++i)
      y[m * stride + i] = x[m * stride + i] - largest[i] - static_cast<float>(sum[i]);
}

}  // namespace

void log_softmax_over_the_first_dimension(const float* x, float* y, int64_t M, int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N; i += kStrip) normalise_strip(x + i, y + i, M, N, std::min(kStrip, N - i));
}
