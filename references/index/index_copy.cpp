// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void index_copy(const float* x, const int64_t* index, const float* source, float* y, int64_t N, int64_t C, int64_t K) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i];
#pragma omp parallel for schedule(static)
  for (int64_t k = 0; k < K; ++k) std::copy_n(source + k * C, C, y + index[k] * C);
}
