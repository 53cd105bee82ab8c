// SPDX-License-Identifier: Apache-2.0
// Right-looking elimination with partial pivoting, in float64.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

void lu_decomposition(const float* x, int64_t* p, float* l, float* u, int64_t N) {
  std::vector<double> a(x, x + N * N);
  for (int64_t i = 0; i < N; ++i) p[i] = i;
  for (int64_t k = 0; k < N; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < N; ++i)
      if (std::fabs(a[i * N + k]) > std::fabs(a[pivot * N + k])) pivot = i;
    if (pivot != k) {
      std::swap(p[k], p[pivot]);
      std::swap_ranges(&a[k * N], &a[k * N] + N, &a[pivot * N]);
    }
    for (int64_t i = k + 1; i < N; ++i) {
      const double factor = a[i * N + k] /= a[k * N + k];
      for (int64_t j = k + 1; j < N; ++j) a[i * N + j] -= factor * a[k * N + j];
    }
  }
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j < N; ++j) {
      l[i * N + j] = i == j ? 1.0f : j < i ? static_cast<float>(a[i * N + j]) : 0.0f;
      u[i * N + j] = j < i ? 0.0f : static_cast<float>(a[i * N + j]);
    }
}
