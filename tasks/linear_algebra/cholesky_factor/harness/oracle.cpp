// SPDX-License-Identifier: Apache-2.0
// By Eigen. A backward error of |y| |y^T| moves y by y times the lower half of inverse |y| |y^T| inverse^T.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto n = inputs["x"].extent(0);
  const Matrix x = Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, n);
  const Matrix y = Eigen::LLT<Matrix>(x).matrixL(), size = y.cwiseAbs();
  const Matrix inverse = Matrix(y.triangularView<Eigen::Lower>().solve(Matrix::Identity(n, n))).cwiseAbs();
  const Matrix moved = inverse * (size * size.transpose()) * inverse.transpose();
  Eigen::Map<Matrix>(outputs["y"].reals().data(), n, n) = y;
  Eigen::Map<Matrix>(outputs["y"].scales().data(), n, n) = (size * Matrix(moved.triangularView<Eigen::Lower>())).triangularView<Eigen::Lower>();
}
