// SPDX-License-Identifier: Apache-2.0
// The rows of b stream by; each thread has a strip of columns, whose sums stay in cache. Unsigned arithmetic wraps.
#include <algorithm>

#include "kernel.h"

void vector_matrix_int32(const int32_t* x, const int32_t* b, int32_t* y, int64_t K, int64_t N) {
  constexpr int64_t kStrip = 256;
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < N; first += kStrip) {
    const int64_t width = std::min(kStrip, N - first);
    uint32_t sum[kStrip] = {};
    for (int64_t k = 0; k < K; ++k) {
      const uint32_t factor = static_cast<uint32_t>(x[k]);
      const int32_t* row = b + k * N + first;
#pragma omp simd
      for (int64_t i = 0; i < width; ++i) sum[i] += factor * static_cast<uint32_t>(row[i]);
    }
    for (int64_t i = 0; i < width; ++i) y[first + i] = static_cast<int32_t>(sum[i]);
  }
}
