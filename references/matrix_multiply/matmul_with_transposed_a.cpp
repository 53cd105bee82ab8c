// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void matmul_with_transposed_a(const float* a, const float* b, float* y, int64_t K, int64_t M, int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < M; ++i) {
    float* __restrict row = y + i * N;
    std::fill_n(row, N, 0.0f);
    for (int64_t k = 0; k < K; ++k) {
      const float left = a[k * M + i];
      const float* right = b + k * N;
#pragma omp simd
      for (int64_t j = 0; j < N; ++j) row[j] += left * right[j];
    }
  }
}
