// SPDX-License-Identifier: Apache-2.0
// Rows of b are added to a row of 32-bit sums, which takes vectors.
#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void matmul_int8_scaled_rows(const int8_t* a, const int8_t* b, const float* scale, float* y, int64_t M, int64_t K, int64_t N) {
#pragma omp parallel
  {
    std::vector<int32_t> sums(N);
#pragma omp for
    for (int64_t m = 0; m < M; ++m) {
      std::fill(sums.begin(), sums.end(), 0);
      for (int64_t k = 0; k < K; ++k) {
        const int32_t factor = a[m * K + k];
        for (int64_t n = 0; n < N; ++n) sums[n] += factor * b[k * N + n];
      }
      for (int64_t n = 0; n < N; ++n) y[m * N + n] = static_cast<float>(sums[n]) * scale[m];
    }
  }
}
