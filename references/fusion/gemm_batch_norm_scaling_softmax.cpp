// SPDX-License-Identifier: Apache-2.0
// The linear layer first, then its rows or columns one by one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// x w^T: [M, N].
std::vector<float> linear(const float* x, const float* w, int64_t M, int64_t K, int64_t N) {
  std::vector<float> z(M * N);
#pragma omp parallel for
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < K; ++k) sum += x[m * K + k] * w[n * K + k];
      z[m * N + n] = sum;
    }
  return z;
}

/// Each column with mean 0 and variance 1, but for the 1e-5 below the root, times its scale, plus its bias.
void normalize(float* z, const float* scale, const float* bias, int64_t M, int64_t N) {
  std::vector<double> mean(N), squares(N), factor(N);
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) mean[n] += z[m * N + n] / static_cast<double>(M);
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) squares[n] += (z[m * N + n] - mean[n]) * (z[m * N + n] - mean[n]);
  for (int64_t n = 0; n < N; ++n) factor[n] = 1 / std::sqrt(squares[n] / M + 1e-5);
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n)
      z[m * N + n] = static_cast<float>((z[m * N + n] - mean[n]) * factor[n]) * scale[n] + bias[n];
}

/// Softmax over O numbers that are `stride` apart.
void softmax(float* z, int64_t O, int64_t stride) {
  float top = z[0], sum = 0;
  for (int64_t o = 1; o < O; ++o) top = std::max(top, z[o * stride]);
  for (int64_t o = 0; o < O; ++o) sum += z[o * stride] = std::exp(z[o * stride] - top);
  for (int64_t o = 0; o < O; ++o) z[o * stride] /= sum;
}

}  // namespace

extern "C" void gemm_batch_norm_scaling_softmax(const float* x, const float* w, const float* scale, const float* bias, const float* factor,
                                                float* y, int64_t M, int64_t K, int64_t N) {
  std::vector<float> z = linear(x, w, M, K, N);
  normalize(z.data(), scale, bias, M, N);
  for (int64_t i = 0; i < M * N; ++i) y[i] = z[i] * factor[0];
  for (int64_t m = 0; m < M; ++m) softmax(y + m * N, N, 1);
}
