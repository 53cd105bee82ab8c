// SPDX-License-Identifier: Apache-2.0
// In blocks whose rows fit the first cache on both sides.
#include <algorithm>

#include "kernel.h"

void einsum_transpose(const float* x, float* y, int64_t N, int64_t C) {
  constexpr int64_t block = 16;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t i = 0; i < N; i += block)
    for (int64_t j = 0; j < C; j += block)
      for (int64_t k = j; k < std::min(j + block, C); ++k)
        for (int64_t h = i; h < std::min(i + block, N); ++h) y[k * N + h] = x[h * C + k];
}
