// SPDX-License-Identifier: Apache-2.0
// Layer by layer, then row by row.
#include <algorithm>
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

float sigmoid(float z) { return 1 / (1 + std::exp(-z)); }

/// The logarithm of the sum of the exponentials of O numbers that are `stride` apart.
float log_sum_exp(const float* z, int64_t O, int64_t stride) {
  float top = z[0];
  for (int64_t o = 1; o < O; ++o) top = std::max(top, z[o * stride]);
  double sum = 0;
  for (int64_t o = 0; o < O; ++o) sum += std::exp(z[o * stride] - top);
  return top + static_cast<float>(std::log(sum));
}

}  // namespace

extern "C" void gemm_sigmoid_sum_log_sum_exp(const float* x, const float* w, const float* b, const float* w2, const float* b2, float* y,
                                             int64_t M, int64_t K, int64_t H, int64_t N) {
  std::vector<float> hidden = linear(x, w, b, M, K, H);
  for (float& each : hidden) each = sigmoid(each);
  const std::vector<float> z = linear(hidden.data(), w2, b2, M, H, N);
  for (int64_t m = 0; m < M; ++m) y[m] = log_sum_exp(&z[m * N], N, 1);
}
