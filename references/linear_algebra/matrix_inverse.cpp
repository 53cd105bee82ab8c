// SPDX-License-Identifier: Apache-2.0
// Gauss-Jordan with partial pivoting, in float64.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

void matrix_inverse(const float* x, float* y, int64_t N) {
  std::vector<double> a(x, x + N * N);
  std::vector<int64_t> pivots(static_cast<size_t>(N));
  for (int64_t k = 0; k < N; ++k) {
    int64_t best = k;
    for (int64_t i = k + 1; i < N; ++i)
      if (std::fabs(a[i * N + k]) > std::fabs(a[best * N + k])) best = i;
    pivots[k] = best;
    if (best != k) std::swap_ranges(&a[k * N], &a[k * N] + N, &a[best * N]);
    const double pivot = 1 / a[k * N + k];
    a[k * N + k] = 1;
    for (int64_t j = 0; j < N; ++j) a[k * N + j] *= pivot;
    for (int64_t i = 0; i < N; ++i) {
      if (i == k) continue;
      const double factor = a[i * N + k];
      a[i * N + k] = 0;
      for (int64_t j = 0; j < N; ++j) a[i * N + j] -= factor * a[k * N + j];
    }
  }
  for (int64_t k = N; k-- > 0;)  // what swapped rows of x swaps columns of its inverse
    for (int64_t i = 0; i < N && pivots[k] != k; ++i) std::swap(a[i * N + k], a[i * N + pivots[k]]);
  for (int64_t i = 0; i < N * N; ++i) y[i] = static_cast<float>(a[i]);
}
