// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kernel.h"

void gemm_transposed_weight(const float* a, const float* b, const float* c, float* y, int64_t M, int64_t K, int64_t N) {
  std::vector<float> rows(K * N);  // b, transposed
#pragma omp parallel for schedule(static)
  for (int64_t k = 0; k < K; ++k)
    for (int64_t j = 0; j < N; ++j) rows[k * N + j] = b[j * K + k];
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < M; ++i) {
    float* __restrict row = y + i * N;
    std::copy_n(c, N, row);
    for (int64_t k = 0; k < K; ++k) {
      const float left = a[i * K + k];
      const float* right = &rows[k * N];
#pragma omp simd
      for (int64_t j = 0; j < N; ++j) row[j] += left * right[j];
    }
  }
}
