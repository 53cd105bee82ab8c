// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void matmul_of_all_pairs(const float* a, const float* b, float* y, int64_t P, int64_t M, int64_t K, int64_t Q, int64_t N) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t p = 0; p < P; ++p)
    for (int64_t q = 0; q < Q; ++q)
      for (int64_t i = 0; i < M; ++i) {
        float* __restrict row = y + ((p * Q + q) * M + i) * N;
        std::fill_n(row, N, 0.0f);
        for (int64_t k = 0; k < K; ++k) {
          const float left = a[(p * M + i) * K + k];
#pragma omp simd
          for (int64_t j = 0; j < N; ++j) row[j] += left * b[(q * K + k) * N + j];
        }
      }
}
