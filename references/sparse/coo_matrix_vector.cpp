// SPDX-License-Identifier: Apache-2.0
// Each thread adds up a part of the elements in a vector of its own.
#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void coo_matrix_vector(const int32_t* rows, const int32_t* columns, const float* values, const float* x, float* y, int64_t E,
                                  [[maybe_unused]] int64_t C, int64_t R) {
  std::fill_n(y, R, 0.0f);
#pragma omp parallel
  {
    std::vector<float> sums(R);
#pragma omp for schedule(static) nowait
    for (int64_t e = 0; e < E; ++e) sums[rows[e]] += values[e] * x[columns[e]];
#pragma omp critical
    for (int64_t r = 0; r < R; ++r) y[r] += sums[r];
  }
}
