// SPDX-License-Identifier: Apache-2.0
// A strip of neighbouring columns goes down the axis together, four rows at a time, into one double per
// column: neither the rounding nor the range of a partial product matters then.
#include <algorithm>
#include <cstdint>

#include "kernel.h"

namespace {

constexpr int64_t kStrip = 128;

void multiply_strip(const float* x, float* y, int64_t M, int64_t stride, int64_t width) {
  double total[kStrip];
  std::fill(total, total + width, 1.0);
  int64_t m = 0;
  for (; m + 4 <= M; m += 4) {
    const float* row = x + m * stride;
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) {
      const double a = row[i], b = row[stride + i], c = row[2 * stride + i], d = row[3 * stride + i];
      total[i] *= (a * b) * (c * d);
    }
  }
  for (; m < M; ++m)
    for (int64_t i = 0; i < width; ++i) total[i] *= x[m * stride + i];
  for (int64_t i = 0; i < width; ++i) y[i] = total[i];
}

}  // namespace

extern "C" void product_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M,
                                                   int64_t N) {
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t i = 0; i < N; i += kStrip)
      multiply_strip(x + b * M * N + i, y + b * N + i, M, N, std::min(kStrip, N - i));
}
