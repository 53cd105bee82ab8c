// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void index_copy_rows(const float* x, const int64_t* indices, const float* rows, float* y, int64_t V, int64_t D, int64_t K) {
#pragma omp parallel for
  for (int64_t v = 0; v < V; ++v) std::copy_n(x + v * D, D, y + v * D);
#pragma omp parallel for
  for (int64_t k = 0; k < K; ++k) std::copy_n(rows + k * D, D, y + indices[k] * D);
}
