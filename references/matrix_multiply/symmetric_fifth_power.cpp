// SPDX-License-Identifier: Apache-2.0
// Three products; rows are added to rows, which takes vectors.
#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

void multiply(const float* a, const float* b, float* y, int64_t n) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    float* row = y + i * n;
    std::fill_n(row, n, 0.0f);
    for (int64_t k = 0; k < n; ++k)
      for (int64_t j = 0; j < n; ++j) row[j] += a[i * n + k] * b[k * n + j];
  }
}

}  // namespace

extern "C" void symmetric_fifth_power(const float* x, float* y, int64_t N) {
  std::vector<float> second(N * N), fourth(N * N);
  multiply(x, x, second.data(), N);
  multiply(second.data(), second.data(), fourth.data(), N);
  multiply(fourth.data(), x, y, N);
}
