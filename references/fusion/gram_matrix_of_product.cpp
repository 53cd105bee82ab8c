// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "kernel.h"

namespace {

// sum[0, N) += row of a times b.
void add_row_product(const float* a, const float* b, int64_t K, int64_t N, float* sum) {
  for (int64_t k = 0; k < K; ++k)
    for (int64_t n = 0; n < N; ++n) sum[n] += a[k] * b[k * N + n];
}

float dot(const float* a, const float* b, int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void gram_matrix_of_product(const float* a, const float* b, const float* c, float* y, int64_t M, int64_t K) {
  std::vector<float> first(M * M);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < M; ++i) {
    float* row = &first[i * M];
    add_row_product(a + i * K, b, K, M, row);
    for (int64_t j = 0; j < M; ++j) row[j] = 2 * row[j] + 0.5f * c[i * M + j];
  }
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < M; ++j) y[i * M + j] = 2 * dot(&first[i * M], &first[j * M], M) + 0.5f * first[i * M + j];
}
