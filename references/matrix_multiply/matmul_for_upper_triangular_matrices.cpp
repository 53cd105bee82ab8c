// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void matmul_for_upper_triangular_matrices(const float* a, const float* b, float* y, int64_t N) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < N; ++i) {
    float* __restrict row = y + i * N;
    std::fill_n(row, N, 0.0f);
    for (int64_t k = i; k < N; ++k) {
      const float left = a[i * N + k];
      const float* right = b + k * N;
#pragma omp simd
      for (int64_t j = k; j < N; ++j) row[j] += left * right[j];
    }
  }
}
