// SPDX-License-Identifier: Apache-2.0
// Row by row: each element of a row of a multiplies a row of b, which the sums of a row of y take in together.
#include <algorithm>
#include <vector>

#include "kernel.h"

void matmul_int8(const int8_t* a, const int8_t* b, int8_t* y, int64_t M, int64_t K, int64_t N) {
#pragma omp parallel
  {
    std::vector<int32_t> sums(static_cast<std::size_t>(N));
    int32_t* sum = sums.data();
#pragma omp for schedule(static)
    for (int64_t m = 0; m < M; ++m) {
      std::fill(sum, sum + N, 0);
      for (int64_t k = 0; k < K; ++k) {
        const int32_t factor = a[m * K + k];
        const int8_t* row = b + k * N;
#pragma omp simd
        for (int64_t n = 0; n < N; ++n) sum[n] += factor * row[n];
      }
      for (int64_t n = 0; n < N; ++n) y[m * N + n] = static_cast<int8_t>(std::clamp(sum[n], -128, 127));
    }
  }
}
