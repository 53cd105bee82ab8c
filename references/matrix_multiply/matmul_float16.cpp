// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "kernel.h"

void matmul_float16(const float16* a, const float16* b, float16* y, int64_t M, int64_t K, int64_t N) {
  const std::vector<float> wide(b, b + K * N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    std::vector<float> sum(N);
    for (int64_t k = 0; k < K; ++k) {
      const float factor = static_cast<float>(a[m * K + k]);
      for (int64_t n = 0; n < N; ++n) sum[n] += factor * wide[k * N + n];
    }
    for (int64_t n = 0; n < N; ++n) y[m * N + n] = static_cast<float16>(sum[n]);
  }
}
