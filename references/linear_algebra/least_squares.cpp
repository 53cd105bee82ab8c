// SPDX-License-Identifier: Apache-2.0
// Householder's QR in float64, of columns that lie contiguous; reflections are applied to the right-hand sides as they are found.
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

double dot(const double* a, const double* b, int64_t size) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

/// `columns` of `rows` each; the first `pivots` become triangular, their diagonal goes to `diagonal`.
void triangulate(std::vector<double>& columns, int64_t rows, int64_t pivots, int64_t count, std::vector<double>& diagonal) {
  for (int64_t k = 0; k < pivots; ++k) {
    double* v = &columns[k * rows] + k;
    const int64_t size = rows - k;
    const double norm = std::sqrt(dot(v, v, size));
    diagonal[k] = v[0] > 0 ? -norm : norm;
    v[0] -= diagonal[k];
    const double scale = 2 / dot(v, v, size);
    for (int64_t j = k + 1; j < count; ++j) {
      double* column = &columns[j * rows] + k;
      const double factor = scale * dot(v, column, size);
      for (int64_t i = 0; i < size; ++i) column[i] -= factor * v[i];
    }
  }
}

}  // namespace

void least_squares(const float* a, const float* b, float* y, int64_t M, int64_t N, int64_t K) {
  std::vector<double> columns((N + K) * M), diagonal(N);
  for (int64_t i = 0; i < M; ++i) {
    for (int64_t j = 0; j < N; ++j) columns[j * M + i] = a[i * N + j];
    for (int64_t j = 0; j < K; ++j) columns[(N + j) * M + i] = b[i * K + j];
  }
  triangulate(columns, M, N, N + K, diagonal);
  for (int64_t j = 0; j < K; ++j) {
    double* x = &columns[(N + j) * M];
    for (int64_t i = N; i-- > 0;) {
      for (int64_t k = i + 1; k < N; ++k) x[i] -= columns[k * M + i] * x[k];
      x[i] /= diagonal[i];
      y[i * K + j] = static_cast<float>(x[i]);
    }
  }
}
