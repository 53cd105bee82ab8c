// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void matrix_vector_int8(const int8_t* a, const int8_t* x, int32_t* y, int64_t M, int64_t K) {
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    const int8_t* row = a + m * K;
    int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < K; ++k) sum += row[k] * x[k];
    y[m] = sum;
  }
}
