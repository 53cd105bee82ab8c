// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void four_dim_tensor_matrix_multiplication(const float* a, const float* b, float* y, int64_t B, int64_t I, int64_t J, int64_t K,
                                           int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < B * I * J; ++i) {
    float* __restrict row = y + i * N;
    std::fill_n(row, N, 0.0f);
    for (int64_t k = 0; k < K; ++k) {
      const float left = a[i * K + k];
#pragma omp simd
      for (int64_t j = 0; j < N; ++j) row[j] += left * b[k * N + j];
    }
  }
}
