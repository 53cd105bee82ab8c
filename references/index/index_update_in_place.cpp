// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void index_update_in_place(float* x, const int64_t* indices, const float* rows, [[maybe_unused]] int64_t V, int64_t D,
                                      int64_t K) {
#pragma omp parallel for
  for (int64_t k = 0; k < K; ++k) std::copy_n(rows + k * D, D, x + indices[k] * D);
}
