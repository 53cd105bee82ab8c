// SPDX-License-Identifier: Apache-2.0
// By Eigen. An honest kernel errs by some roundings of |inverse| (|matrix| |y| + |b|), element by element.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto n = inputs["a"].extent(0), k = inputs["b"].extent(1);
  const Matrix a = Eigen::Map<const Matrix>(inputs["a"].reals().data(), n, n), b = Eigen::Map<const Matrix>(inputs["b"].reals().data(), n, k);
  const Matrix inverse = a.inverse().cwiseAbs(), y = a.llt().solve(b);
  Eigen::Map<Matrix>(outputs["y"].reals().data(), n, k) = y;
  Eigen::Map<Matrix>(outputs["y"].scales().data(), n, k) = inverse * (a.cwiseAbs() * y.cwiseAbs() + b.cwiseAbs());
}
