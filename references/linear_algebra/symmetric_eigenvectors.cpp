// SPDX-License-Identifier: Apache-2.0
// Jacobi's rotations of rows and columns, until nothing is left beside the diagonal.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

void symmetric_eigenvectors(const float* x, float* w, float* v, int64_t N) {
  std::vector<double> a(static_cast<size_t>(N * N)), vectors(static_cast<size_t>(N * N));
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j < N; ++j) a[i * N + j] = static_cast<double>(x[i * N + j]) + x[j * N + i];
  for (int64_t i = 0; i < N; ++i) vectors[i * N + i] = 1;
  for (int sweep = 0; sweep < 30; ++sweep) {
    double beside = 0, all = 0;
    for (int64_t i = 0; i < N; ++i)
      for (int64_t j = 0; j < N; ++j) all += a[i * N + j] * a[i * N + j], beside += i == j ? 0 : a[i * N + j] * a[i * N + j];
    if (beside <= 1e-24 * all) break;
    for (int64_t p = 0; p < N; ++p)
      for (int64_t q = p + 1; q < N; ++q) {
        if (a[p * N + q] == 0) continue;
        const double ratio = (a[q * N + q] - a[p * N + p]) / (2 * a[p * N + q]);
        const double t = (ratio < 0 ? -1 : 1) / (std::fabs(ratio) + std::sqrt(1 + ratio * ratio)), c = 1 / std::sqrt(1 + t * t), s = c * t;
        for (int64_t k = 0; k < N; ++k) {
          const double kp = a[k * N + p], kq = a[k * N + q];
          a[k * N + p] = c * kp - s * kq;
          a[k * N + q] = s * kp + c * kq;
        }
        for (int64_t k = 0; k < N; ++k) {
          const double pk = a[p * N + k], qk = a[q * N + k];
          a[p * N + k] = c * pk - s * qk;
          a[q * N + k] = s * pk + c * qk;
        }
        for (int64_t k = 0; k < N; ++k) {  // eigenvectors are rows here
          const double pk = vectors[p * N + k], qk = vectors[q * N + k];
          vectors[p * N + k] = c * pk - s * qk;
          vectors[q * N + k] = s * pk + c * qk;
        }
      }
  }
  std::vector<int64_t> order(static_cast<size_t>(N));
  for (int64_t i = 0; i < N; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return a[i * N + i] < a[j * N + j]; });
  for (int64_t j = 0; j < N; ++j) {
    w[j] = static_cast<float>(a[order[j] * N + order[j]]);
    for (int64_t i = 0; i < N; ++i) v[i * N + j] = static_cast<float>(vectors[order[j] * N + i]);
  }
}
