// SPDX-License-Identifier: Apache-2.0
// Pivots of half the largest magnitude are as stable as the largest, within a small factor.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto n = inputs["x"].extent(0);
  const Matrix x = Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, n);
  const Matrix l = Eigen::Map<const Matrix>(outputs["l"].reals().data(), n, n), u = Eigen::Map<const Matrix>(outputs["u"].reals().data(), n, n);
  Matrix taken(n, n);
  std::vector<bool> seen(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t row = outputs["p"].index(n, i);
    if (seen[row]) residuals.refuse("p names row " + std::to_string(row) + " twice");
    seen[row] = true;
    taken.row(i) = x.row(row);
  }
  const double bound = 32 * 0x1p-24 * std::sqrt(static_cast<double>(n));
  residuals.add("reconstruction", (l * u - taken).cwiseAbs().maxCoeff(), bound * std::max(1.0, u.cwiseAbs().maxCoeff()));
  residuals.add("l above its unit diagonal", (l - Matrix::Identity(n, n)).triangularView<Eigen::Upper>().toDenseMatrix().cwiseAbs().maxCoeff(), 0);
  residuals.add("u below its diagonal", Matrix(u.triangularView<Eigen::StrictlyLower>()).cwiseAbs().maxCoeff(), 0);
  residuals.add("magnitude in l", l.cwiseAbs().maxCoeff(), 2.001);
}

// The last two rows in the other order, where the pivot between them is not too small.
ASSAY_ANOTHER(inputs, outputs) {
  const auto n = inputs["x"].extent(0);
  auto &p = outputs["p"], &l = outputs["l"], &u = outputs["u"];
  const double ratio = l.real(n - 1, n - 2);
  if (std::abs(ratio) < 0.5) return;
  std::swap(p.integer(n - 1), p.integer(n - 2));
  for (std::int64_t j = 0; j + 2 < n; ++j) std::swap(l.real(n - 1, j), l.real(n - 2, j));
  const double a = u.real(n - 2, n - 2), b = u.real(n - 2, n - 1), d = u.real(n - 1, n - 1);
  u.real(n - 2, n - 2) = ratio * a;
  u.real(n - 2, n - 1) = ratio * b + d;
  l.real(n - 1, n - 2) = 1 / ratio;
  u.real(n - 1, n - 1) = b - (ratio * b + d) / ratio;
}
