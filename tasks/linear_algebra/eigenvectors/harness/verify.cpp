// SPDX-License-Identifier: Apache-2.0
// Bounds grow with the extents as the errors of a backward stable float32 algorithm do.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto n = inputs["x"].extent(0);
  const Matrix x = Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, n);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(x)};
  const Eigen::MatrixXcd left = solver.eigenvectors().inverse();
  Eigen::VectorXcd values(n);
  Eigen::MatrixXcd vectors(n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    values[i] = {outputs["values"].real(i, 0), outputs["values"].real(i, 1)};
    for (std::int64_t j = 0; j < n; ++j) vectors(j, i) = {outputs["vectors"].real(j, i, 0), outputs["vectors"].real(j, i, 1)};
  }
  const double bound = 32 * 0x1p-24 * std::sqrt(static_cast<double>(n));
  double length = 0;
  for (std::int64_t i = 0; i < n; ++i) length = std::max(length, std::abs(vectors.col(i).norm() - 1));
  residuals.add("length of a vector, less 1", length, bound);
  residuals.add("x v - value v", (x * vectors - vectors * values.asDiagonal()).colwise().norm().maxCoeff(), bound * x.norm());
  // Each eigenvalue is there: it takes the nearest number that no other has taken.
  std::vector<bool> taken(static_cast<std::size_t>(n));
  double missing = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t nearest = -1;
    for (std::int64_t j = 0; j < n; ++j)
      if (!taken[j] && (nearest < 0 || std::abs(values[j] - solver.eigenvalues()[i]) < std::abs(values[nearest] - solver.eigenvalues()[i]))) nearest = j;
    taken[nearest] = true;
    const double condition = solver.eigenvectors().col(i).norm() * left.row(i).norm();
    missing = std::max(missing, std::abs(values[nearest] - solver.eigenvalues()[i]) / (condition * x.norm()));
  }
  residuals.add("an eigenvalue that is missing, over its condition", missing, bound);
}

// The first two pairs in the other order, and the first vector turned by a phase.
ASSAY_ANOTHER(inputs, outputs) {
  auto &values = outputs["values"], &vectors = outputs["vectors"];
  for (const std::int64_t part : {0, 1}) {
    std::swap(values.real(0, part), values.real(1, part));
    for (std::int64_t j = 0; j < values.extent(0); ++j) std::swap(vectors.real(j, 0, part), vectors.real(j, 1, part));
  }
  for (std::int64_t j = 0; j < values.extent(0); ++j) {
    const double re = vectors.real(j, 0, 0), im = vectors.real(j, 0, 1);
    vectors.real(j, 0, 0) = 0.6 * re - 0.8 * im;
    vectors.real(j, 0, 1) = 0.8 * re + 0.6 * im;
  }
}
