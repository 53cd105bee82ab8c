// SPDX-License-Identifier: Apache-2.0
// By the normal equations in float64, which leave enough of 53 bits for a result of 24: Cholesky's factor of x^T x, then substitution on
// rows of x^T.
#include <cmath>
#include <vector>

#include "kernel.h"

void pseudoinverse(const float* x, float* y, int64_t M, int64_t N) {
  std::vector<double> l(N * N), turned(N * M);
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) turned[j * M + i] = x[i * N + j];
  for (int64_t j = 0; j < N; ++j)
    for (int64_t i = j; i < N; ++i) {
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < M; ++k) sum += turned[i * M + k] * turned[j * M + k];
      for (int64_t k = 0; k < j; ++k) sum -= l[i * N + k] * l[j * N + k];
      l[i * N + j] = i == j ? std::sqrt(sum) : sum / l[j * N + j];
    }
  for (int64_t i = 0; i < N; ++i) {
    for (int64_t k = 0; k < i; ++k)
      for (int64_t j = 0; j < M; ++j) turned[i * M + j] -= l[i * N + k] * turned[k * M + j];
    for (int64_t j = 0; j < M; ++j) turned[i * M + j] /= l[i * N + i];
  }
  for (int64_t i = N; i-- > 0;) {
    for (int64_t k = i + 1; k < N; ++k)
      for (int64_t j = 0; j < M; ++j) turned[i * M + j] -= l[k * N + i] * turned[k * M + j];
    for (int64_t j = 0; j < M; ++j) turned[i * M + j] /= l[i * N + i];
  }
  for (int64_t i = 0; i < N * M; ++i) y[i] = static_cast<float>(turned[i]);
}
