// SPDX-License-Identifier: Apache-2.0
// What is left of the permuted matrix, and the form of the factors.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto n = inputs["x"].extent(0);
  const Matrix x = Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, n);
  const Matrix l = Eigen::Map<const Matrix>(outputs["l"].reals().data(), n, n), two = Eigen::Map<const Matrix>(outputs["d"].reals().data(), n, 2);
  Matrix d = two.col(0).asDiagonal();
  for (std::int64_t i = 0; i + 1 < n; ++i) d(i + 1, i) = d(i, i + 1) = two(i, 1);
  Matrix permuted(n, n);
  std::vector<bool> seen(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t row = outputs["p"].index(n, i);
    if (seen[row]) residuals.refuse("p names row " + std::to_string(row) + " twice");
    seen[row] = true;
  }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) permuted(i, j) = x(outputs["p"].index(n, i), outputs["p"].index(n, j));
  double overlapping = std::abs(two(n - 1, 1)), within = 0;
  for (std::int64_t i = 0; i + 1 < n; ++i) {
    if (two(i, 1) == 0) continue;
    within = std::max(within, std::abs(l(i + 1, i)));
    overlapping = std::max(overlapping, std::abs(two(i + 1, 1)));
  }
  const double bound = 64 * 0x1p-24 * std::sqrt(static_cast<double>(n));
  residuals.add("reconstruction", (l * d * l.transpose() - permuted).cwiseAbs().maxCoeff(), bound * x.cwiseAbs().maxCoeff());
  residuals.add("blocks of more than two, or beyond the last row", overlapping, 0);
  residuals.add("l within a block of two", within, 0);
  residuals.add("l above its unit diagonal", (l - Matrix::Identity(n, n)).triangularView<Eigen::Upper>().toDenseMatrix().cwiseAbs().maxCoeff(), 0);
}

// The last two pivots as one block of two, where they are none.
ASSAY_ANOTHER(inputs, outputs) {
  const auto n = inputs["x"].extent(0);
  auto &l = outputs["l"], &d = outputs["d"];
  if (d.real(n - 2, 1) != 0 || (n > 2 && d.real(n - 3, 1) != 0)) return;
  const double factor = l.real(n - 1, n - 2), first = d.real(n - 2, 0);
  if (factor * first == 0) return;
  d.real(n - 2, 1) = factor * first;
  d.real(n - 1, 0) += factor * factor * first;
  l.real(n - 1, n - 2) = 0;
}
