// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void csr_matrix_matrix(const int64_t* row_pointers, const int64_t* columns, const float* values, const float* b, float* y,
                                  int64_t P, [[maybe_unused]] int64_t E, [[maybe_unused]] int64_t C, int64_t D,
                                  [[maybe_unused]] int64_t R) {
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t r = 0; r < P - 1; ++r) {
    float* row = y + r * D;
    std::fill_n(row, D, 0.0f);
    for (int64_t e = row_pointers[r]; e < row_pointers[r + 1]; ++e) {
      const float* other = b + columns[e] * D;
      for (int64_t d = 0; d < D; ++d) row[d] += values[e] * other[d];
    }
  }
}
