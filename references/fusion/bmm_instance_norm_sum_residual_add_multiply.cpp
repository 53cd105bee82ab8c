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

/// Mean 0 and variance 1, but for the 1e-5 below the root.
void normalize(float* z, int64_t size) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  const double mean = sum / size;
  for (int64_t i = 0; i < size; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const double factor = 1 / std::sqrt(squares / size + 1e-5);
  for (int64_t i = 0; i < size; ++i) z[i] = static_cast<float>((z[i] - mean) * factor);
}

}  // namespace

extern "C" void bmm_instance_norm_sum_residual_add_multiply(const float* x, const float* w, const float* b, const float* r, float* y,
                                                            int64_t M, int64_t K, int64_t N) {
  std::vector<float> z = linear(x, w, b, M, K, N);
  for (int64_t m = 0; m < M; ++m) normalize(&z[m * N], N);
  for (int64_t i = 0; i < M * N; ++i) y[i] = (z[i] + r[i]) * r[i];
}
