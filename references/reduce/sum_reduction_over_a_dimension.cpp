// SPDX-License-Identifier: Apache-2.0
// Rows stream by one after the other, as memory holds them, into sums that stay in the first-level cache: sixteen rows
// in float32, then one double per column, for a long sum in float32 would lose its small terms.
#include <algorithm>
#include <cstdint>

#include "kernel.h"

namespace {

constexpr int64_t kStrip = 1024;
constexpr int64_t kRows = 16;

// Not inlined: GCC would join the loops over rows and read several rows at once, which the prefetcher does not follow.
template <class Sum>
[[gnu::noinline]] void add_row(const float* row, Sum* sum, int64_t width) {
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) sum[i] += row[i];
}

void add_strip(const float* x, float* y, int64_t M, int64_t stride, int64_t width) {
  double total[kStrip];
  float part[kStrip];
  std::fill(total, total + width, 0.0);
  for (int64_t m = 0; m < M; m += kRows) {
    std::fill(part, part + width, 0.0f);
    for (int64_t row = m; row < std::min(m + kRows, M); ++row) add_row(x + row * stride, part, width);
    add_row(part, total, width);
  }
  for (int64_t i = 0; i < width; ++i) y[i] = static_cast<float>(total[i]);
}

}  // namespace

void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t i = 0; i < N; i += kStrip)
      add_strip(x + b * M * N + i, y + b * N + i, M, N, std::min(kStrip, N - i));
}
