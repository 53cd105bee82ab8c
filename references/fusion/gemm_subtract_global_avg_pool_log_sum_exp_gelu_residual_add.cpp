// SPDX-License-Identifier: Apache-2.0
// The linear layer first, then its rows or columns one by one.
#include <cmath>
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

float mean_of(const float* z, int64_t size) {
  double sum = 0;
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  return static_cast<float>(sum / size);
}

float gelu(float z) { return 0.5f * z * (1 + std::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void gemm_subtract_global_avg_pool_log_sum_exp_gelu_residual_add(const float* x, const float* w, const float* b, const float* v,
                                                                            float* y, int64_t M, int64_t K, int64_t N) {
  std::vector<float> z = linear(x, w, b, M, K, N);
  for (int64_t m = 0; m < M; ++m) {
    for (int64_t n = 0; n < N; ++n) z[m * N + n] -= v[n];
    const float more = gelu(mean_of(&z[m * N], N));
    for (int64_t k = 0; k < K; ++k) y[m * K + k] = x[m * K + k] + more;
  }
}
