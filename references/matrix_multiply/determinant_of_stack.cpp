// SPDX-License-Identifier: Apache-2.0
// Gaussian elimination with partial pivoting, in double.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

void determinant_of_stack(const float* x, float* y, int64_t B, int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t b = 0; b < B; ++b) {
    std::vector<double> a(x + b * N * N, x + (b + 1) * N * N);
    double determinant = 1;
    for (int64_t k = 0; k < N; ++k) {
      int64_t pivot = k;
      for (int64_t i = k + 1; i < N; ++i)
        if (std::fabs(a[i * N + k]) > std::fabs(a[pivot * N + k])) pivot = i;
      if (pivot != k) {
        std::swap_ranges(&a[k * N], &a[k * N] + N, &a[pivot * N]);
        determinant = -determinant;
      }
      determinant *= a[k * N + k];
      if (determinant == 0) break;
      for (int64_t i = k + 1; i < N; ++i) {
        const double factor = a[i * N + k] / a[k * N + k];
        for (int64_t j = k; j < N; ++j) a[i * N + j] -= factor * a[k * N + j];
      }
    }
    y[b] = determinant;
  }
}
