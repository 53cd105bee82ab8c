// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>
#include <vector>

#include "kernel.h"

void determinant(const float* x, float* y, int64_t B, int64_t N) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    std::vector<double> a(x + b * N * N, x + (b + 1) * N * N);
    double product = 1;
    for (int64_t k = 0; k < N; ++k) {
      int64_t pivot = k;
      for (int64_t i = k + 1; i < N; ++i) {
        if (std::fabs(a[i * N + k]) > std::fabs(a[pivot * N + k])) pivot = i;
      }
      if (pivot != k) {
        for (int64_t j = 0; j < N; ++j) std::swap(a[k * N + j], a[pivot * N + j]);
        product = -product;
      }
      product *= a[k * N + k];
      if (a[k * N + k] == 0) break;
      for (int64_t i = k + 1; i < N; ++i) {
        double factor = a[i * N + k] / a[k * N + k];
        for (int64_t j = k; j < N; ++j) a[i * N + j] -= factor * a[k * N + j];
      }
    }
    y[b] = product;
  }
}
