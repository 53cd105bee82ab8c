// SPDX-License-Identifier: Apache-2.0
// Works on w transposed: then the innermost loop runs over neighbouring columns, and has no sum that must stay in order.
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void tanh_linear(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  std::vector<float> columns(K * N);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t k = 0; k < K; ++k) columns[k * N + n] = w[n * K + k];
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    std::vector<float> row(b, b + N);
    for (int64_t k = 0; k < K; ++k)
      for (int64_t n = 0; n < N; ++n) row[n] += x[m * K + k] * columns[k * N + n];
    for (int64_t n = 0; n < N; ++n) {
      const float z = row[n];
      y[m * N + n] = std::tanh(z);
    }
  }
}
