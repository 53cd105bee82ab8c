// SPDX-License-Identifier: Apache-2.0
// One-sided Jacobi: rotations of columns, until all are orthogonal. Columns lie contiguous.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

void rotate(double* a, double* b, int64_t count, double c, double s) {
  for (int64_t i = 0; i < count; ++i) {
    const double p = a[i], q = b[i];
    a[i] = c * p - s * q;
    b[i] = s * p + c * q;
  }
}

double dot(const double* a, const double* b, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void low_rank_approximation(const float* x, float* y, float* s, int64_t M, int64_t N, int64_t K) {
  std::vector<double> a(static_cast<size_t>(M * N)), w(static_cast<size_t>(N * N)), lengths(static_cast<size_t>(N));
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) a[j * M + i] = x[i * N + j];
  for (int64_t j = 0; j < N; ++j) w[j * N + j] = 1;
  bool rotated = true;
  for (int sweep = 0; sweep < 30 && rotated; ++sweep) {
    rotated = false;
    for (int64_t p = 0; p < N; ++p)
      for (int64_t q = p + 1; q < N; ++q) {
        const double pp = dot(&a[p * M], &a[p * M], M), qq = dot(&a[q * M], &a[q * M], M), pq = dot(&a[p * M], &a[q * M], M);
        if (std::fabs(pq) <= 1e-12 * std::sqrt(pp * qq)) continue;
        rotated = true;
        const double ratio = (qq - pp) / (2 * pq);
        const double t = (ratio < 0 ? -1 : 1) / (std::fabs(ratio) + std::sqrt(1 + ratio * ratio)), c = 1 / std::sqrt(1 + t * t);
        rotate(&a[p * M], &a[q * M], M, c, c * t);
        rotate(&w[p * N], &w[q * N], N, c, c * t);
      }
  }
  std::vector<int64_t> order(static_cast<size_t>(N));
  for (int64_t j = 0; j < N; ++j) order[j] = j, lengths[j] = std::sqrt(dot(&a[j * M], &a[j * M], M));
  std::sort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return lengths[i] > lengths[j]; });
  // Column j of a is s[j] u[j].
  std::vector<double> sums(static_cast<size_t>(M * N));
  for (int64_t k = 0; k < K; ++k) {
    const double *left = &a[order[k] * M], *right = &w[order[k] * N];
    s[k] = static_cast<float>(lengths[order[k]]);
    for (int64_t i = 0; i < M; ++i)
      for (int64_t j = 0; j < N; ++j) sums[i * N + j] += left[i] * right[j];
  }
  for (int64_t i = 0; i < M * N; ++i) y[i] = static_cast<float>(sums[i]);
}
