// SPDX-License-Identifier: Apache-2.0
// Weights are expanded once; then rows of them are added to a row of the product, which takes vectors.
#include <vector>

#include "kernel.h"

extern "C" void matmul_int8_columns_float16(const float16* a, const int8_t* b, const float* scale, float16* y, int64_t M, int64_t K,
                                            int64_t N) {
  std::vector<float> weights(K * N);
#pragma omp parallel
  {
#pragma omp for
    for (int64_t k = 0; k < K; ++k)
      for (int64_t n = 0; n < N; ++n)
        weights[k * N + n] = static_cast<float>(static_cast<float16>(static_cast<float>(b[k * N + n]) * scale[n]));
    std::vector<float> sums(N);
#pragma omp for
    for (int64_t m = 0; m < M; ++m) {
      for (int64_t n = 0; n < N; ++n) sums[n] = 0;
      for (int64_t k = 0; k < K; ++k) {
        const float factor = static_cast<float>(a[m * K + k]);
        for (int64_t n = 0; n < N; ++n) sums[n] += factor * weights[k * N + n];
      }
      for (int64_t n = 0; n < N; ++n) y[m * N + n] = static_cast<float16>(sums[n]);
    }
  }
}
