// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void index_select_rows(const float* x, const int64_t* indices, float* y, [[maybe_unused]] int64_t V, int64_t D, int64_t K) {
#pragma omp parallel for
  for (int64_t k = 0; k < K; ++k) std::copy_n(x + indices[k] * D, D, y + k * D);
}
