// SPDX-License-Identifier: Apache-2.0
// Modified Gram-Schmidt, each column twice: the second pass makes it orthogonal to rounding. Columns lie contiguous.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

void qr_decomposition(const float* x, float* q, float* r, int64_t M, int64_t N) {
  std::vector<double> columns(static_cast<size_t>(M * N));
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) columns[j * M + i] = x[i * N + j];
  for (int64_t i = 0; i < N * N; ++i) r[i] = 0;
  for (int64_t j = 0; j < N; ++j) {
    double* column = &columns[j * M];
    for (int pass = 0; pass < 2; ++pass)
      for (int64_t k = 0; k < j; ++k) {
        const double* other = &columns[k * M];
        double along = 0;
        for (int64_t i = 0; i < M; ++i) along += other[i] * column[i];
        for (int64_t i = 0; i < M; ++i) column[i] -= along * other[i];
        r[k * N + j] += static_cast<float>(along);
      }
    double square = 0;
    for (int64_t i = 0; i < M; ++i) square += column[i] * column[i];
    const double length = std::sqrt(square);
    for (int64_t i = 0; i < M; ++i) column[i] /= length;
    r[j * N + j] = static_cast<float>(length);
  }
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) q[i * N + j] = static_cast<float>(columns[j * M + i]);
}
