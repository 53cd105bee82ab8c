// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void csr_matrix_vector(const int64_t* row_pointers, const int64_t* columns, const float* values, const float* x, float* y, int64_t P,
                       int64_t E, int64_t C, int64_t R) {
#pragma omp parallel for
  for (int64_t r = 0; r < R; ++r) {
    float sum = 0;
    for (int64_t e = row_pointers[r]; e < row_pointers[r + 1]; ++e) sum += values[e] * x[columns[e]];
    y[r] = sum;
  }
}
