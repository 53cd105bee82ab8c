// SPDX-License-Identifier: Apache-2.0
// By Eigen. Of x this well conditioned the normal equations are honest, too: they err by roundings of |inverse of x^T x| |x|^T (|x| |y| + I).
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto m = inputs["x"].extent(0), n = inputs["x"].extent(1);
  const Matrix x = Eigen::Map<const Matrix>(inputs["x"].reals().data(), m, n);
  const Matrix inverse = Matrix(x.transpose() * x).inverse(), y = x.householderQr().solve(Matrix::Identity(m, m));
  const Matrix size = x.cwiseAbs();
  Eigen::Map<Matrix>(outputs["y"].reals().data(), n, m) = y;
  Eigen::Map<Matrix>(outputs["y"].scales().data(), n, m) = inverse.cwiseAbs() * (size.transpose() * (size * y.cwiseAbs() + Matrix::Identity(m, m)));
}
