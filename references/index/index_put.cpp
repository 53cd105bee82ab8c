// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void index_put(float* x, const int64_t* indices, const float* values, [[maybe_unused]] int64_t N, int64_t K) {
#pragma omp parallel for
  for (int64_t k = 0; k < K; ++k) x[indices[k]] = values[k];
}
