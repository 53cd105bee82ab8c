// SPDX-License-Identifier: Apache-2.0
// Francis' algorithm, by Eigen.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto n = inputs["x"].extent(0);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, n)));
  for (std::int64_t i = 0; i < n; ++i) {
    outputs["values"].real(i, 0) = solver.eigenvalues()[i].real();
    outputs["values"].real(i, 1) = solver.eigenvalues()[i].imag();
    const Eigen::VectorXcd vector = solver.eigenvectors().col(i).normalized();
    for (std::int64_t j = 0; j < n; ++j) {
      outputs["vectors"].real(j, i, 0) = vector[j].real();
      outputs["vectors"].real(j, i, 1) = vector[j].imag();
    }
  }
}
