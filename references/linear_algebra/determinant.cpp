// SPDX-License-Identifier: Apache-2.0
// The product of the pivots of elimination with partial pivoting, in float64.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

void determinant(const float* x, float* y, int64_t B, int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t b = 0; b < B; ++b) {
    std::vector<double> a(x + b * N * N, x + (b + 1) * N * N);
    double product = 1;
    for (int64_t k = 0; k < N; ++k) {
      int64_t best = k;
      for (int64_t i = k + 1; i < N; ++i)
        if (std::fabs(a[i * N + k]) > std::fabs(a[best * N + k])) best = i;
      if (best != k) {
        std::swap_ranges(&a[k * N], &a[k * N] + N, &a[best * N]);
        product = -product;
      }
      product *= a[k * N + k];
      for (int64_t i = k + 1; i < N && a[k * N + k] != 0; ++i) {
        const double factor = a[i * N + k] / a[k * N + k];
        for (int64_t j = k + 1; j < N; ++j) a[i * N + j] -= factor * a[k * N + j];
      }
    }
    y[b] = static_cast<float>(product);
  }
}
