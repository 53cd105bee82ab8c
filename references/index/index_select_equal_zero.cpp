// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void index_select_equal_zero(const float* x, const int64_t* indices, bool* y, [[maybe_unused]] int64_t V, int64_t D, int64_t K) {
#pragma omp parallel for
  for (int64_t k = 0; k < K; ++k) {
    const float* row = x + indices[k] * D;
    for (int64_t d = 0; d < D; ++d) y[k * D + d] = row[d] == 0.0f;
  }
}
