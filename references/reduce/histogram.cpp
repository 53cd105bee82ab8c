// SPDX-License-Identifier: Apache-2.0
// The bins of some elements at a time, in vectors; then they are counted, equal neighbours in different tables so that none waits for
// another. What does not count has a bin of its own behind the last.
#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void histogram(const float* x, const float* low, const float* high, float* y, int64_t N, int64_t B) {
  constexpr int64_t block = 512, tables = 4;
  const float from = *low, to = *high, scale = static_cast<float>(B) / (to - from);
  const float last = static_cast<float>(B - 1), outside = static_cast<float>(B);
  const int64_t stride = B + 1;
  std::vector<int64_t> total(B);
#pragma omp parallel
  {
    std::vector<int32_t> counts(tables * stride);
    int32_t bins[block];
#pragma omp for schedule(static) nowait
    for (int64_t first = 0; first < N; first += block) {
      const int64_t count = std::min(block, N - first);
      for (int64_t i = 0; i < count; ++i) {
        const float value = x[first + i], place = std::min((value - from) * scale, last);
        bins[i] = static_cast<int32_t>((value >= from) & (value <= to) ? place : outside);
      }
      int64_t i = 0;
      for (; i + tables <= count; i += tables)
        for (int64_t table = 0; table < tables; ++table) ++counts[table * stride + bins[i + table]];
      for (; i < count; ++i) ++counts[bins[i]];
    }
#pragma omp critical
    for (int64_t table = 0; table < tables; ++table)
      for (int64_t b = 0; b < B; ++b) total[b] += counts[table * stride + b];
  }
  for (int64_t b = 0; b < B; ++b) y[b] = static_cast<float>(total[b]);
}
