// SPDX-License-Identifier: Apache-2.0
// b becomes float32 once, turned, so that rows of it are added to rows of the product, which takes vectors.
#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void matmul_of_transposed_float16(const float16* a, const float16* b, float16* y, int64_t K, int64_t M, int64_t N) {
  std::vector<float> turned(K * N);
#pragma omp parallel
  {
#pragma omp for
    for (int64_t n = 0; n < N; ++n)
      for (int64_t k = 0; k < K; ++k) turned[k * N + n] = static_cast<float>(b[n * K + k]);
    std::vector<float> sums(N);
#pragma omp for
    for (int64_t m = 0; m < M; ++m) {
      std::fill(sums.begin(), sums.end(), 0.0f);
      for (int64_t k = 0; k < K; ++k) {
        const float factor = static_cast<float>(a[k * M + m]);
        for (int64_t n = 0; n < N; ++n) sums[n] += factor * turned[k * N + n];
      }
      for (int64_t n = 0; n < N; ++n) y[m * N + n] = static_cast<float16>(sums[n]);
    }
  }
}
