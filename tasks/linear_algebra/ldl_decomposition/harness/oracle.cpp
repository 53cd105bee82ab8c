// SPDX-License-Identifier: Apache-2.0
// In float64.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Complete pivoting (Bunch and Parlett, SIAM J. Numer. Anal. 8, 1971): a block of two where no diagonal element is large enough.
ASSAY_ORACLE(inputs, outputs) {
  const auto n = inputs["x"].extent(0);
  Matrix a = Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, n), l = Matrix::Identity(n, n), d = Matrix::Zero(n, 2);
  std::vector<std::int64_t> p(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) p[i] = i;
  const auto exchange = [&](std::int64_t i, std::int64_t j, std::int64_t done) {
    if (i == j) return;
    a.row(i).swap(a.row(j));
    a.col(i).swap(a.col(j));
    l.row(i).head(done).swap(l.row(j).head(done));
    std::swap(p[i], p[j]);
  };
  for (std::int64_t k = 0; k < n;) {
    std::int64_t diagonal = k, row = k, column = k;
    for (std::int64_t i = k; i < n; ++i) {
      if (std::abs(a(i, i)) > std::abs(a(diagonal, diagonal))) diagonal = i;
      for (std::int64_t j = k; j < i; ++j)
        if (row == column || std::abs(a(i, j)) > std::abs(a(row, column))) row = i, column = j;
    }
    const bool single = row == column || std::abs(a(diagonal, diagonal)) >= 0.6404 * std::abs(a(row, column));
    const std::int64_t size = single ? 1 : 2, rest = n - k - size;
    exchange(k, single ? diagonal : column, k);
    if (!single) exchange(k + 1, row == k ? column : row, k);
    const Matrix pivot = a.block(k, k, size, size), below = a.block(k + size, k, rest, size) * pivot.inverse();
    d(k, 0) = pivot(0, 0);
    if (!single) d(k, 1) = pivot(1, 0), d(k + 1, 0) = pivot(1, 1);
    l.block(k + size, k, rest, size) = below;
    a.block(k + size, k + size, rest, rest) -= below * a.block(k, k + size, size, rest);
    k += size;
  }
  Eigen::Map<Matrix>(outputs["l"].reals().data(), n, n) = l;
  Eigen::Map<Matrix>(outputs["d"].reals().data(), n, 2) = d;
  for (std::int64_t i = 0; i < n; ++i) outputs["p"].integer(i) = p[i];
}
