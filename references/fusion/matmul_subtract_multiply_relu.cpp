// SPDX-License-Identifier: Apache-2.0
// Works on w transposed: then the innermost loop runs over neighbouring columns of y, and has no sum that must stay in order.
#include <vector>

#include "kernel.h"

namespace {

float tail(float z) {
  float d = (z - 2.0f) * 1.5f;
  return d < 0.0f ? 0.0f : d;
}

}  // namespace

extern "C" void matmul_subtract_multiply_relu(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  std::vector<float> columns(K * N);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t k = 0; k < K; ++k) columns[k * N + n] = w[n * K + k];
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    std::vector<float> sum(b, b + N);
    for (int64_t k = 0; k < K; ++k)
      for (int64_t n = 0; n < N; ++n) sum[n] += x[m * K + k] * columns[k * N + n];
    for (int64_t n = 0; n < N; ++n) y[m * N + n] = tail(sum[n]);
  }
}
