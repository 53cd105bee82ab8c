// SPDX-License-Identifier: Apache-2.0
// task: sum_reduction_over_a_dimension
// stage: bench
// expect: PASS
// Tasks, made by one thread and shared by all.
#include <algorithm>

#include "kernel.h"

void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  constexpr int64_t kStrip = 256;
#pragma omp parallel
#pragma omp single
  for (int64_t b = 0; b < B; ++b)
    for (int64_t first = 0; first < N; first += kStrip) {
#pragma omp task firstprivate(b, first)
      {
        double sums[kStrip] = {};
        const int64_t width = std::min(kStrip, N - first);
        for (int64_t m = 0; m < M; ++m)
          for (int64_t n = 0; n < width; ++n) sums[n] += x[(b * M + m) * N + first + n];
        for (int64_t n = 0; n < width; ++n) y[b * N + first + n] = static_cast<float>(sums[n]);
      }
    }
}
