// SPDX-License-Identifier: Apache-2.0
// Bounds grow with the extent as the errors of a backward stable float32 algorithm with some ten sweeps do.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto n = inputs["x"].extent(0);
  const Matrix x = Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, n), a = x + x.transpose();
  const Matrix v = Eigen::Map<const Matrix>(outputs["v"].reals().data(), n, n);
  const Eigen::VectorXd w = Eigen::Map<const Eigen::VectorXd>(outputs["w"].reals().data(), n);
  const double bound = 64 * 0x1p-24 * std::sqrt(static_cast<double>(n));
  residuals.add("orthogonality", (v.transpose() * v - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), bound);
  residuals.add("eigenvectors", (a * v - v * w.asDiagonal()).cwiseAbs().maxCoeff(), bound * a.norm());
  double fall = 0;
  for (std::int64_t i = 1; i < n; ++i) fall = std::max(fall, w[i - 1] - w[i]);
  residuals.add("eigenvalues that fall", fall, 0);
}

ASSAY_ANOTHER(inputs, outputs) {
  auto& v = outputs["v"];
  for (std::int64_t i = 0; i < v.extent(0); ++i) v.real(i, 0) = -v.real(i, 0);
}
