// SPDX-License-Identifier: Apache-2.0
// A strip of neighbouring columns goes down the axis together, eight rows at a time: a tree of eight in
// float32, then one double per column, for a long sum in float32 would lose its small terms.
#include <algorithm>
#include <cstdint>

#include "kernel.h"

namespace {

constexpr int64_t kStrip = 512;

void add_strip(const float* x, float* y, int64_t M, int64_t stride, int64_t width) {
  double total[kStrip];
  std::fill(total, total + width, 0.0);
  int64_t m = 0;
  for (; m + 8 <= M; m += 8) {
    const float* r = x + m * stride;
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) {
      const float upper = (r[i] + r[stride + i]) + (r[2 * stride + i] + r[3 * stride + i]);
      const float lower = (r[4 * stride + i] + r[5 * stride + i]) + (r[6 * stride + i] + r[7 * stride + i]);
      total[i] += upper + lower;
    }
  }
  for (; m < M; ++m)
    for (int64_t i = 0; i < width; ++i) total[i] += x[m * stride + i];
  for (int64_t i = 0; i < width; ++i) y[i] = total[i];
}

}  // namespace

extern "C" void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t i = 0; i < N; i += kStrip)
      add_strip(x + b * M * N + i, y + b * N + i, M, N, std::min(kStrip, N - i));
}
