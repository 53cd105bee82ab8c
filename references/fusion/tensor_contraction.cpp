// SPDX-License-Identifier: Apache-2.0
// For each (p, q) a row of b is added to the rows of y, which takes vectors.
#include <algorithm>

#include "kernel.h"

extern "C" void tensor_contraction(const float* a, const float* b, float* y, int64_t P, int64_t Q, int64_t M, int64_t N) {
  constexpr int64_t kRows = 16;  // of y, which stay in the first-level cache
#pragma omp parallel for
  for (int64_t first = 0; first < M; first += kRows) {
    const int64_t end = std::min(first + kRows, M);
    std::fill(y + first * N, y + end * N, 0.0f);
    for (int64_t q = 0; q < Q; ++q)
      for (int64_t p = 0; p < P; ++p) {
        const float *column = a + (p * Q + q) * M, *row = b + (q * P + p) * N;
        for (int64_t i = first; i < end; ++i)
          for (int64_t j = 0; j < N; ++j) y[i * N + j] += column[i] * row[j];
      }
  }
}
