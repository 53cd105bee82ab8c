// SPDX-License-Identifier: Apache-2.0
// One-sided Jacobi, by Eigen.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto& x = inputs["x"];
  const auto rows = x.extent(0), columns = x.extent(1);
  const Eigen::JacobiSVD<Matrix> svd(Eigen::Map<const Matrix>(x.reals().data(), rows, columns), Eigen::ComputeThinU | Eigen::ComputeThinV);
  Eigen::Map<Matrix>(outputs["u"].reals().data(), rows, columns) = svd.matrixU();
  Eigen::Map<Eigen::VectorXd>(outputs["s"].reals().data(), columns) = svd.singularValues();
  Eigen::Map<Matrix>(outputs["v"].reals().data(), columns, columns) = svd.matrixV();
}
