// SPDX-License-Identifier: Apache-2.0
// Cholesky's factor, then forward and back substitution on rows of all right-hand sides, in float64.
#include <cmath>
#include <vector>

#include "kernel.h"

void positive_definite_solve(const float* a, const float* b, float* y, int64_t N, int64_t K) {
  std::vector<double> l(N * N), x(b, b + N * K);
  for (int64_t j = 0; j < N; ++j) {
    const double* row = &l[j * N];
    double left = a[j * N + j];
    for (int64_t k = 0; k < j; ++k) left -= row[k] * row[k];
    const double root = std::sqrt(left);
    l[j * N + j] = root;
    for (int64_t i = j + 1; i < N; ++i) {
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < j; ++k) sum += l[i * N + k] * row[k];
      l[i * N + j] = (a[i * N + j] - sum) / root;
    }
  }
  for (int64_t i = 0; i < N; ++i) {
    for (int64_t k = 0; k < i; ++k)
      for (int64_t j = 0; j < K; ++j) x[i * K + j] -= l[i * N + k] * x[k * K + j];
    for (int64_t j = 0; j < K; ++j) x[i * K + j] /= l[i * N + i];
  }
  for (int64_t i = N; i-- > 0;) {
    for (int64_t k = i + 1; k < N; ++k)
      for (int64_t j = 0; j < K; ++j) x[i * K + j] -= l[k * N + i] * x[k * K + j];
    for (int64_t j = 0; j < K; ++j) x[i * K + j] /= l[i * N + i];
  }
  for (int64_t i = 0; i < N * K; ++i) y[i] = static_cast<float>(x[i]);
}
