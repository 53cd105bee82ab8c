// SPDX-License-Identifier: Apache-2.0
// Elimination with partial pivoting, in float64: symmetry would halve the work, but not without pivots of two rows.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

void symmetric_solve(const float* a, const float* b, float* y, int64_t N) {
  std::vector<double> m(a, a + N * N), x(b, b + N);
  for (int64_t k = 0; k < N; ++k) {
    int64_t best = k;
    for (int64_t i = k + 1; i < N; ++i)
      if (std::fabs(m[i * N + k]) > std::fabs(m[best * N + k])) best = i;
    if (best != k) {
      std::swap_ranges(&m[k * N], &m[k * N] + N, &m[best * N]);
      std::swap(x[k], x[best]);
    }
    for (int64_t i = k + 1; i < N; ++i) {
      const double factor = m[i * N + k] / m[k * N + k];
      for (int64_t j = k + 1; j < N; ++j) m[i * N + j] -= factor * m[k * N + j];
      x[i] -= factor * x[k];
    }
  }
  for (int64_t i = N; i-- > 0;) {
    for (int64_t k = i + 1; k < N; ++k) x[i] -= m[i * N + k] * x[k];
    x[i] /= m[i * N + i];
  }
  for (int64_t i = 0; i < N; ++i) y[i] = static_cast<float>(x[i]);
}
