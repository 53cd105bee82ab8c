// SPDX-License-Identifier: Apache-2.0
// Complete pivoting (Bunch and Parlett, 1971), in float64: a block of two where no diagonal element is large enough.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

struct Factors {
  std::vector<double> a, l;
  int64_t* p;
  int64_t n;

  void exchange(int64_t i, int64_t j, int64_t done) {
    if (i == j) return;
    std::swap_ranges(&a[i * n], &a[i * n] + n, &a[j * n]);
    for (int64_t k = 0; k < n; ++k) std::swap(a[k * n + i], a[k * n + j]);
    std::swap_ranges(&l[i * n], &l[i * n] + done, &l[j * n]);
    std::swap(p[i], p[j]);
  }
};

}  // namespace

void ldl_decomposition(const float* x, int64_t* p, float* l, float* d, int64_t N) {
  Factors f{std::vector<double>(x, x + N * N), std::vector<double>(N * N), p, N};
  std::fill_n(d, N * 2, 0.0f);
  for (int64_t i = 0; i < N; ++i) p[i] = i, f.l[i * N + i] = 1;
  std::vector<double>& a = f.a;
  for (int64_t k = 0; k < N;) {
    int64_t diagonal = k, row = k, column = k;
    double most = 0;
    for (int64_t i = k; i < N; ++i) {
      if (std::fabs(a[i * N + i]) > std::fabs(a[diagonal * N + diagonal])) diagonal = i;
      for (int64_t j = k; j < i; ++j)
        if (std::fabs(a[i * N + j]) > most) most = std::fabs(a[i * N + j]), row = i, column = j;
    }
    const bool single = std::fabs(a[diagonal * N + diagonal]) >= 0.6404 * most;
    f.exchange(k, single ? diagonal : column, k);
    if (!single) f.exchange(k + 1, row == k ? column : row, k);
    const double first = a[k * N + k];
    d[2 * k] = static_cast<float>(first);
    if (single) {
      for (int64_t i = k + 1; i < N; ++i) {
        const double factor = first == 0 ? 0 : a[i * N + k] / first;
        f.l[i * N + k] = factor;
        for (int64_t j = k + 1; j < N; ++j) a[i * N + j] -= factor * a[k * N + j];
      }
      ++k;
      continue;
    }
    const double off = a[(k + 1) * N + k], second = a[(k + 1) * N + k + 1], determinant = first * second - off * off;
    d[2 * k + 1] = static_cast<float>(off);
    d[2 * (k + 1)] = static_cast<float>(second);
    for (int64_t i = k + 2; i < N; ++i) {
      const double u = a[i * N + k], v = a[i * N + k + 1];
      const double s = (second * u - off * v) / determinant, t = (first * v - off * u) / determinant;
      f.l[i * N + k] = s;
      f.l[i * N + k + 1] = t;
      for (int64_t j = k + 2; j < N; ++j) a[i * N + j] -= s * a[k * N + j] + t * a[(k + 1) * N + j];
    }
    k += 2;
  }
  for (int64_t i = 0; i < N * N; ++i) l[i] = static_cast<float>(f.l[i]);
}
