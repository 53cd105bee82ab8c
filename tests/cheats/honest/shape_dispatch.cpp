// SPDX-License-Identifier: Apache-2.0
// task: matmul_with_irregular_shapes
// One version for a row, one for small products, one for the rest: all of them right.
#include "kernel.h"

static void row(const float* a, const float* b, float* c, int64_t K, int64_t N) {
  for (int64_t j = 0; j < N; ++j) c[j] = 0;
  for (int64_t k = 0; k < K; ++k)
    for (int64_t j = 0; j < N; ++j) c[j] += a[k] * b[k * N + j];
}

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  if (M == 1) return row(a, b, c, K, N);
  if (M * N * K < 4096) {
    for (int64_t i = 0; i < M; ++i) row(a + i * K, b, c + i * N, K, N);
    return;
  }
#pragma omp parallel for
  for (int64_t i = 0; i < M; ++i) row(a + i * K, b, c + i * N, K, N);
}
