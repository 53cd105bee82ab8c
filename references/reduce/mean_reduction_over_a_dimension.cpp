// SPDX-License-Identifier: Apache-2.0
// Rows stream by as memory holds them, into one number per column of a strip that stays in the first-level cache. Rows are
// asked for ahead of time: some processors do not foresee them.
#include <algorithm>

#include "kernel.h"

namespace {

constexpr int64_t kStrip = 512;

void reduce_strip(const float* x, float* y, int64_t M, int64_t stride, int64_t width) {
  double total[kStrip];
  std::fill(total, total + width, 0.0);
  for (int64_t m = 0; m < M; ++m) {
    const float *row = x + m * stride, *ahead = x + std::min(m + 2, M - 1) * stride;
    for (int64_t i = 0; i < width; i += 16) __builtin_prefetch(ahead + i);
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) total[i] += row[i];
  }
  for (int64_t i = 0; i < width; ++i) y[i] = static_cast<float>(total[i] / static_cast<double>(M));
}

}  // namespace

void mean_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t i = 0; i < N; i += kStrip)
      reduce_strip(x + b * M * N + i, y + b * N + i, M, N, std::min(kStrip, N - i));
}
