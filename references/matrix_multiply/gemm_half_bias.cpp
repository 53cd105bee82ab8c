// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void gemm_half_bias(const float* a, const float* b, const float* c, float* y, int64_t M, int64_t K, int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < M; ++i) {
    float* __restrict row = y + i * N;
    for (int64_t j = 0; j < N; ++j) row[j] = 0.5f * c[j];
    for (int64_t k = 0; k < K; ++k) {
      const float left = a[i * K + k];
      const float* right = b + k * N;
#pragma omp simd
      for (int64_t j = 0; j < N; ++j) row[j] += left * right[j];
    }
  }
}
