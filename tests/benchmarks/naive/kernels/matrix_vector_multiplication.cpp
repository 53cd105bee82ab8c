// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void matrix_vector_multiplication(const float* a, const float* b, float* y, int64_t M, int64_t K) {
#pragma omp parallel for
  for (int64_t i = 0; i < M; ++i) {
    double sum = 0;
    for (int64_t k = 0; k < K; ++k) sum += a[i * K + k] * b[k];
    y[i] = sum;
  }
}
