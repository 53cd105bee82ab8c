// SPDX-License-Identifier: Apache-2.0
// b is widened once; rows of b are added to a row of the product, which takes vectors.
#include <vector>

#include "kernel.h"

#include "blocks/bfloat16.h"

void matmul_float8_e4m3(const float8_e4m3* a, const float8_e4m3* b, const float* row_scale, const float* column_scale, bfloat16* y, int64_t M,
                        int64_t K, int64_t N) {
  std::vector<float> wide(static_cast<std::size_t>(K * N));
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int64_t i = 0; i < K * N; ++i) wide[i] = b[i];
    std::vector<float> row(static_cast<std::size_t>(N));
#pragma omp for schedule(static)
    for (int64_t m = 0; m < M; ++m) {
      for (int64_t n = 0; n < N; ++n) row[n] = 0.0f;
      for (int64_t k = 0; k < K; ++k) {
        const float factor = a[m * K + k];
        const float* from = wide.data() + k * N;
        for (int64_t n = 0; n < N; ++n) row[n] += factor * from[n];
      }
      for (int64_t n = 0; n < N; ++n) blocks::store(row[n] * row_scale[m] * column_scale[n], y[m * N + n]);
    }
  }
}
