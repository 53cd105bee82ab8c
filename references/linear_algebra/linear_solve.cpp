// SPDX-License-Identifier: Apache-2.0
// Elimination with partial pivoting, in float64.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

void linear_solve(const float* a, const float* b, float* y, int64_t N, int64_t K) {
  std::vector<double> m(a, a + N * N), right(b, b + N * K);
  for (int64_t k = 0; k < N; ++k) {
    int64_t best = k;
    for (int64_t i = k + 1; i < N; ++i)
      if (std::fabs(m[i * N + k]) > std::fabs(m[best * N + k])) best = i;
    if (best != k) {
      std::swap_ranges(&m[k * N], &m[k * N] + N, &m[best * N]);
      std::swap_ranges(&right[k * K], &right[k * K] + K, &right[best * K]);
    }
    for (int64_t i = k + 1; i < N; ++i) {
      const double factor = m[i * N + k] / m[k * N + k];
      for (int64_t j = k + 1; j < N; ++j) m[i * N + j] -= factor * m[k * N + j];
      for (int64_t j = 0; j < K; ++j) right[i * K + j] -= factor * right[k * K + j];
    }
  }
  for (int64_t i = N; i-- > 0;)
    for (int64_t j = 0; j < K; ++j) {
      double sum = right[i * K + j];
      for (int64_t k = i + 1; k < N; ++k) sum -= m[i * N + k] * right[k * K + j];
      right[i * K + j] = sum / m[i * N + i];
    }
  for (int64_t i = 0; i < N * K; ++i) y[i] = static_cast<float>(right[i]);
}
