// SPDX-License-Identifier: Apache-2.0
// Cholesky, row by row: the dot products run along rows.
#include <cmath>
#include <vector>

#include "kernel.h"

void factor_of_gram_matrix(const float* x, float* b, int64_t N, int64_t K) {
  std::vector<double> l(static_cast<size_t>(N * N));
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      double sum = i == j ? static_cast<double>(N) : 0;
      for (int64_t k = 0; k < K; ++k) sum += static_cast<double>(x[i * K + k]) * x[j * K + k];
      for (int64_t k = 0; k < j; ++k) sum -= l[i * N + k] * l[j * N + k];
      l[i * N + j] = i == j ? std::sqrt(sum) : sum / l[j * N + j];
    }
  for (int64_t i = 0; i < N * N; ++i) b[i] = static_cast<float>(l[i]);
}
