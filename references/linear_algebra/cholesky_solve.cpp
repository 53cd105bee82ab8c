// SPDX-License-Identifier: Apache-2.0
// Forward and back substitution in float64. Threads share strips of right-hand sides, each row of which is two vectors;
// a few rows at a time keep their sums in registers.
#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

constexpr int64_t kStrip = 16, kRows = 4;

struct Row {
  double __attribute__((vector_size(64))) v[2];
};

/// x becomes the solution y of t y = x. Element (i, k) of the lower triangular t is t[i * row + k * column], row i of x
/// is x[i * step].
void solve(const float* t, int64_t row, int64_t column, Row* x, int64_t step, int64_t N) {
  for (int64_t i = 0; i < N; i += kRows) {
    const int64_t rows = std::min(kRows, N - i);
    Row sum[kRows] = {};
    const float* from[kRows];  // rows past the end repeat the last one; their sums are dropped
    for (int64_t r = 0; r < kRows; ++r) from[r] = t + (i + std::min(r, rows - 1)) * row;
    for (int64_t k = 0; k < i; ++k) {
      const Row known = x[k * step];
#pragma GCC unroll 4
      for (int64_t r = 0; r < kRows; ++r) {
        const double factor = from[r][k * column];
        sum[r].v[0] += factor * known.v[0];
        sum[r].v[1] += factor * known.v[1];
      }
    }
#pragma GCC unroll 4
    for (int64_t r = 0; r < kRows; ++r) {
      if (r == rows) return;
      Row& to = x[(i + r) * step];
      for (int64_t v = 0; v < 2; ++v) {
        to.v[v] -= sum[r].v[v];
        for (int64_t q = i; q < i + r; ++q) to.v[v] -= static_cast<double>(from[r][q * column]) * x[q * step].v[v];
        to.v[v] /= static_cast<double>(from[r][(i + r) * column]);
      }
    }
  }
}

}  // namespace

void cholesky_solve(const float* b, const float* l, float* y, int64_t N, int64_t K) {
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < K; first += kStrip) {
    const int64_t count = std::min(kStrip, K - first);
    std::vector<Row> x(N);
    for (int64_t i = 0; i < N; ++i)
      for (int64_t j = 0; j < count; ++j) x[i].v[j / 8][j % 8] = b[i * K + first + j];
    solve(l, N, 1, x.data(), 1, N);
    solve(l + N * N - 1, -1, -N, &x.back(), -1, N);  // upper triangular: from the last row on
    for (int64_t i = 0; i < N; ++i)
      for (int64_t j = 0; j < count; ++j) y[i * K + first + j] = static_cast<float>(x[i].v[j / 8][j % 8]);
  }
}
