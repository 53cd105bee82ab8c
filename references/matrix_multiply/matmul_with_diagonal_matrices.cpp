// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void matmul_with_diagonal_matrices(const float* d, const float* b, float* y, int64_t M, int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) y[i * N + j] = d[i] * b[i * N + j];
}
