// SPDX-License-Identifier: Apache-2.0
// Q of a QR decomposition, by Eigen.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto& x = inputs["x"];
  const auto rows = x.extent(0), columns = x.extent(1);
  const Eigen::HouseholderQR<Matrix> qr(Eigen::Map<const Matrix>(x.reals().data(), rows, columns));
  Eigen::Map<Matrix>(outputs["q"].reals().data(), rows, columns) = qr.householderQ() * Matrix::Identity(rows, columns);
}
