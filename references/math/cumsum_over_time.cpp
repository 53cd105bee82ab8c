// SPDX-License-Identifier: Apache-2.0
// Neighbouring columns go along the axis together, in strips whose sums stay in the first-level cache.
#include <algorithm>

#include "kernel.h"

void cumsum_over_time(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  constexpr int64_t kStrip = 256;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t first = 0; first < N; first += kStrip) {
      const int64_t width = std::min(kStrip, N - first);
      double sum[kStrip] = {};
      for (int64_t m = 0; m < M; ++m) {
        const int64_t row = (b * M + m) * N + first;
#pragma omp simd
        for (int64_t i = 0; i < width; ++i) {
          sum[i] += x[row + i];
          y[row + i] = static_cast<float>(sum[i]);
        }
      }
    }
}
