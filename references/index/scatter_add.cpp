// SPDX-License-Identifier: Apache-2.0
// Rows are independent, so threads share rows, never elements, and need no atomics. A row is gathered in
// double: hundreds of updates may meet in one element.
#include <cstdint>
#include <vector>

#include "kernel.h"

extern "C" void scatter_add(const float* x, const int64_t* indices, const float* updates, float* y, int64_t N,
                            int64_t M, int64_t K) {
#pragma omp parallel
  {
    std::vector<double> sums(M);
#pragma omp for
    for (int64_t n = 0; n < N; ++n) {
      for (int64_t j = 0; j < M; ++j) sums[j] = x[n * M + j];
      for (int64_t k = 0; k < K; ++k) sums[indices[n * K + k]] += updates[n * K + k];
      for (int64_t j = 0; j < M; ++j) y[n * M + j] = sums[j];
    }
  }
}
