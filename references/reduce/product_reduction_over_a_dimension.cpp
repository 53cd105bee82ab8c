// SPDX-License-Identifier: Apache-2.0
// Rows stream by one after the other, as memory holds them, into one double per column that stays in the first-level
// cache: neither the rounding nor the range of a partial product matters then.
#include <algorithm>
#include <cstdint>

#include "kernel.h"

namespace {

constexpr int64_t kStrip = 1024;

// Not inlined: GCC would join the loops over rows and read several rows at once, which the prefetcher does not follow.
[[gnu::noinline]] void multiply_row(const float* row, double* product, int64_t width) {
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) product[i] *= row[i];
}

void multiply_strip(const float* x, float* y, int64_t M, int64_t stride, int64_t width) {
  double product[kStrip];
  std::fill(product, product + width, 1.0);
  for (int64_t m = 0; m < M; ++m) multiply_row(x + m * stride, product, width);
  for (int64_t i = 0; i < width; ++i) y[i] = static_cast<float>(product[i]);
}

}  // namespace

void product_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t i = 0; i < N; i += kStrip)
      multiply_strip(x + b * M * N + i, y + b * N + i, M, N, std::min(kStrip, N - i));
}
