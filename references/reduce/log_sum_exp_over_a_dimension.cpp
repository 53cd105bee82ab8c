// SPDX-License-Identifier: Apache-2.0
// Rows stream by twice: for the maximum of each column of a strip, and for the exponentials of what lies below it.
#include "blocks/vector_math.h"

#include <algorithm>

#include "kernel.h"

namespace {

constexpr int64_t kStrip = 256;

void reduce_strip(const float* x, float* y, int64_t M, int64_t stride, int64_t width) {
  float largest[kStrip], sum[kStrip] = {};
  std::copy(x, x + width, largest);
  for (int64_t m = 1; m < M; ++m)
    for (int64_t i = 0; i < width; ++i) largest[i] = std::max(largest[i], x[m * stride + i]);
  for (int64_t m = 0; m < M; ++m)
    for (int64_t i = 0; i < width; ++i) sum[i] += blocks::exp(x[m * stride + i] - largest[i]);
  for (int64_t i = 0; i < width; ++i) y[i] = largest[i] + blocks::log(sum[i]);
}

}  // namespace

void log_sum_exp_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t i = 0; i < N; i += kStrip)
      reduce_strip(x + b * M * N + i, y + b * N + i, M, N, std::min(kStrip, N - i));
}
