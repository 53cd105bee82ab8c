// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void scatter_distinct(const float* x, const int64_t* indices, const float* updates, float* y, int64_t N, int64_t M, int64_t K) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    std::copy_n(x + n * M, M, y + n * M);
    for (int64_t i = n * K; i < (n + 1) * K; ++i) y[n * M + indices[i]] = updates[i];
  }
}
