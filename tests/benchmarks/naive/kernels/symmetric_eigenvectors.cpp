// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "kernel.h"

void symmetric_eigenvectors(const float* x, float* w, float* v, int64_t N) {
  std::vector<double> a(N * N);
  std::vector<double> u(N * N);
#pragma omp parallel for
  for (int64_t i = 0; i < N; ++i) {
    for (int64_t j = 0; j < N; ++j) {
      a[i * N + j] = double(x[i * N + j]) + x[j * N + i];
      u[i * N + j] = i == j ? 1 : 0;
    }
  }
  // Jacobi's method
  for (int sweep = 0; sweep < 50; ++sweep) {
    double off = 0;
    double all = 0;
    for (int64_t i = 0; i < N; ++i) {
      for (int64_t j = 0; j < N; ++j) {
        all += a[i * N + j] * a[i * N + j];
        if (i != j) off += a[i * N + j] * a[i * N + j];
      }
    }
    if (off <= 1e-20 * all) break;
    for (int64_t p = 0; p < N; ++p) {
      for (int64_t q = p + 1; q < N; ++q) {
        if (a[p * N + q] == 0) continue;
        double theta = (a[q * N + q] - a[p * N + p]) / (2 * a[p * N + q]);
        double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        double c = 1 / std::sqrt(t * t + 1);
        double s = t * c;
        for (int64_t k = 0; k < N; ++k) {
          double kp = a[k * N + p];
          double kq = a[k * N + q];
          a[k * N + p] = c * kp - s * kq;
          a[k * N + q] = s * kp + c * kq;
        }
        for (int64_t k = 0; k < N; ++k) {
          double pk = a[p * N + k];
          double qk = a[q * N + k];
          a[p * N + k] = c * pk - s * qk;
          a[q * N + k] = s * pk + c * qk;
        }
        for (int64_t k = 0; k < N; ++k) {
          double kp = u[k * N + p];
          double kq = u[k * N + q];
          u[k * N + p] = c * kp - s * kq;
          u[k * N + q] = s * kp + c * kq;
        }
      }
    }
  }
  std::vector<bool> used(N, false);
  for (int64_t j = 0; j < N; ++j) {
    int64_t least = -1;
    for (int64_t i = 0; i < N; ++i) {
      if (!used[i] && (least < 0 || a[i * N + i] < a[least * N + least])) least = i;
    }
    used[least] = true;
    w[j] = a[least * N + least];
    for (int64_t k = 0; k < N; ++k) v[k * N + j] = u[k * N + least];
  }
}
