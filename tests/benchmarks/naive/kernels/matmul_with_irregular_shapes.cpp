// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
#pragma omp parallel for
  for (int64_t i = 0; i < M; ++i) {
    for (int64_t j = 0; j < N; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k) sum += a[i * K + k] * b[k * N + j];
      c[i * N + j] = sum;
    }
  }
}
