// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

std::vector<float> whole(const float* lower, int64_t N) {
  std::vector<float> matrix(N * N);
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j <= i; ++j) matrix[i * N + j] = matrix[j * N + i] = lower[i * N + j];
  return matrix;
}

}  // namespace

void matmul_for_symmetric_matrices(const float* a, const float* b, float* y, int64_t N) {
  const std::vector<float> left = whole(a, N), right = whole(b, N);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N; ++i) {
    float* __restrict row = y + i * N;
    std::fill_n(row, N, 0.0f);
    for (int64_t k = 0; k < N; ++k)
#pragma omp simd
      for (int64_t j = 0; j < N; ++j) row[j] += left[i * N + k] * right[k * N + j];
  }
}
