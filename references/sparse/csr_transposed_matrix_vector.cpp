// SPDX-License-Identifier: Apache-2.0
// Each thread scatters a part of the rows into a vector of its own.
#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void csr_transposed_matrix_vector(const int32_t* row_pointers, const int32_t* columns, const float* values, const float* x,
                                             float* y, int64_t R, [[maybe_unused]] int64_t E, int64_t C) {
  std::fill_n(y, C, 0.0f);
#pragma omp parallel
  {
    std::vector<float> sums(C);
#pragma omp for schedule(dynamic, 64) nowait
    for (int64_t r = 0; r < R; ++r)
      for (int32_t e = row_pointers[r]; e < row_pointers[r + 1]; ++e) sums[columns[e]] += values[e] * x[r];
#pragma omp critical
    for (int64_t c = 0; c < C; ++c) y[c] += sums[c];
  }
}
