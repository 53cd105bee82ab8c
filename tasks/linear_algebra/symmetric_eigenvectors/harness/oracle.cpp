// SPDX-License-Identifier: Apache-2.0
// Tridiagonalisation and QR steps, by Eigen.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto n = inputs["x"].extent(0);
  const Matrix x = Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, n);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(x + x.transpose());
  Eigen::Map<Eigen::VectorXd>(outputs["w"].reals().data(), n) = solver.eigenvalues();
  Eigen::Map<Matrix>(outputs["v"].reals().data(), n, n) = solver.eigenvectors();
}
