// SPDX-License-Identifier: Apache-2.0
// The linear layer first, then its rows or columns one by one.
#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

/// x w^T and a bias: [M, N].
std::vector<float> linear(const float* x, const float* w, const float* b, int64_t M, int64_t K, int64_t N) {
  std::vector<float> z(M * N);
#pragma omp parallel for
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < K; ++k) sum += x[m * K + k] * w[n * K + k];
      z[m * N + n] = sum + b[n];
    }
  return z;
}

}  // namespace

extern "C" void matmul_max_pool_sum_scale(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t P) {
  std::vector<float> z = linear(x, w, b, M, K, 2 * P);
  for (int64_t m = 0; m < M; ++m) {
    double sum = 0;
    for (int64_t p = m * P; p < (m + 1) * P; ++p) sum += std::max(z[2 * p], z[2 * p + 1]);
    y[m] = static_cast<float>(sum / 2);
  }
}
