// SPDX-License-Identifier: Apache-2.0
// By Eigen. A backward error moves an eigenvalue by its norm times the condition of the eigenvalue, |right vector| |left vector|.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto& x = inputs["x"];
  auto& y = outputs["y"];
  const auto n = x.extent(1);
  for (std::int64_t b = 0; b < x.extent(0); ++b) {
    const Matrix matrix = Eigen::Map<const Matrix>(x.reals().data() + b * n * n, n, n);
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix);
    const Eigen::VectorXd sizes = solver.eigenvalues().cwiseAbs();
    const Eigen::MatrixXcd vectors = solver.eigenvectors(), inverse = vectors.inverse();
    y.real(b) = sizes.maxCoeff();
    double moved = 0;
    for (std::int64_t i = 0; i < n; ++i)
      if (sizes[i] > 0.99 * y.real(b)) moved = std::max(moved, vectors.col(i).norm() * inverse.row(i).norm());
    y.scales()[b] = moved * matrix.norm();
  }
}
