// SPDX-License-Identifier: Apache-2.0
// x = q r first, by Gram-Schmidt, since r has the same singular values and right vectors and only N rows. Then one-sided Jacobi: rotations
// of the rows of r, until all are orthogonal; each is then one of the v, times its singular value.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

double dot(const double* a, const double* b, int64_t count) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/// to += factor from
void add(double factor, const double* from, double* to, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) to[i] += factor * from[i];
}

void rotate(double* a, double* b, int64_t count, double c, double s) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
    const double p = a[i], q = b[i];
    a[i] = c * p - s * q;
    b[i] = s * p + c * q;
  }
}

}  // namespace

void low_rank_approximation(const float* x, float* y, float* s, int64_t M, int64_t N, int64_t K) {
  std::vector<double> columns(M * N), r(N * N), lengths(N), sums(N);
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) columns[j * M + i] = x[i * N + j];
  for (int64_t p = 0; p < N; ++p) {
    double* column = &columns[p * M];
    const double square = dot(column, column, M), length = std::sqrt(square);
    r[p * N + p] = length;
    for (int64_t q = p + 1; q < N && length > 0; ++q) {
      const double share = dot(column, &columns[q * M], M);
      r[p * N + q] = share / length;
      add(-share / square, column, &columns[q * M], M);
    }
  }
  bool rotated = true;
  for (int sweep = 0; sweep < 30 && rotated; ++sweep) {
    rotated = false;
    for (int64_t p = 0; p < N; ++p)
      for (int64_t q = p + 1; q < N; ++q) {
        double *a = &r[p * N], *b = &r[q * N];
        const double pp = dot(a, a, N), qq = dot(b, b, N), pq = dot(a, b, N);
        if (std::fabs(pq) <= 1e-12 * std::sqrt(pp * qq)) continue;
        rotated = true;
        const double ratio = (qq - pp) / (2 * pq);
        const double t = (ratio < 0 ? -1 : 1) / (std::fabs(ratio) + std::sqrt(1 + ratio * ratio)), c = 1 / std::sqrt(1 + t * t);
        rotate(a, b, N, c, c * t);
      }
  }
  std::vector<int64_t> order(N);
  for (int64_t j = 0; j < N; ++j) order[j] = j, lengths[j] = std::sqrt(dot(&r[j * N], &r[j * N], N));
  std::sort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return lengths[i] > lengths[j]; });
  for (int64_t k = 0; k < K; ++k) {
    const int64_t row = order[k];
    s[k] = static_cast<float>(lengths[row]);
    for (int64_t j = 0; j < N; ++j) r[row * N + j] /= lengths[row] > 0 ? lengths[row] : 1;
  }
  // A row of y is what is left of a row of x in the span of the v.
  for (int64_t i = 0; i < M; ++i) {
    const std::vector<double> line(x + i * N, x + (i + 1) * N);
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int64_t k = 0; k < K; ++k) {
      const double* v = &r[order[k] * N];
      add(dot(line.data(), v, N), v, sums.data(), N);
    }
    for (int64_t j = 0; j < N; ++j) y[i * N + j] = static_cast<float>(sums[j]);
  }
}
