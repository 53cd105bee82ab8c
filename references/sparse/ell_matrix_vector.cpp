// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void ell_matrix_vector(const float* values, const int32_t* columns, const float* x, float* y, int64_t R, int64_t K,
                                  [[maybe_unused]] int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < R; ++r) {
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < K; ++k) {
      const int32_t column = columns[r * K + k];
      const float product = values[r * K + k] * x[std::max(column, 0)];
      sum += column < 0 ? 0.0f : product;
    }
    y[r] = sum;
  }
}
