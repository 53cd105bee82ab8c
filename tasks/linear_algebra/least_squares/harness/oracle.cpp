// SPDX-License-Identifier: Apache-2.0
// By Eigen. Of a this well conditioned the normal equations are honest, too: they err by roundings of |inverse of a^T a| |a|^T (|a| |y| + |b|).
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto m = inputs["a"].extent(0), n = inputs["a"].extent(1), k = inputs["b"].extent(1);
  const Matrix a = Eigen::Map<const Matrix>(inputs["a"].reals().data(), m, n), b = Eigen::Map<const Matrix>(inputs["b"].reals().data(), m, k);
  const Matrix y = a.householderQr().solve(b), size = a.cwiseAbs(), inverse = Matrix(a.transpose() * a).inverse().cwiseAbs();
  Eigen::Map<Matrix>(outputs["y"].reals().data(), n, k) = y;
  Eigen::Map<Matrix>(outputs["y"].scales().data(), n, k) = inverse * (size.transpose() * (size * y.cwiseAbs() + b.cwiseAbs()));
}
